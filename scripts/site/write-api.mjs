import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** What is published for others to import; the paper is a program. */
const PACKAGES = ['evenhand', 'encoding', 'resampling', 'streams', 'engine', 'trees', 'tfjs'];

/** Every entry of every package: its name for import, and its declarations. */
function entries() {
  return PACKAGES.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(repository, 'packages', folder, 'package.json'), 'utf8'));
    return Object.entries(exports).flatMap(([path, target]) =>
      typeof target === 'object' && typeof target.types === 'string'
        ? [{ name: path === '.' ? name : `${name}${path.slice(1)}`, file: join('packages', folder, target.types) }]
        : [],
    );
  });
}

/** Writes the API reference as Markdown, a page for each entry, from the declarations as they are built. */
export async function writeApi(folder) {
  rmSync(folder, { recursive: true, force: true });
  const all = entries();
  const program = join(repository, 'node_modules', '.cache', 'tsconfig.api.json');
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', moduleResolution: 'nodenext' },
    ...{ strict: true, skipLibCheck: true, noEmit: true, types: ['node'], typeRoots: ['../@types'] },
  };
  const files = all.map(({ file }) => join(repository, file));
  writeFileSync(program, JSON.stringify({ compilerOptions, files }));
  const application = await Application.bootstrapWithPlugins({
    entryPoints: files,
    tsconfig: program,
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    docsRoot: join(repository, 'docs'),
    sidebar: { autoConfiguration: false },
    router: 'module',
    fileExtension: '.md',
    entryFileName: 'index.md',
    out: folder,
    outputs: [{ name: 'markdown', path: folder }],
    readme: 'none',
    name: 'API',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    // A table is shorter than a heading for each.
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    enumMembersFormat: 'table',
    // Types of parameters that nobody has to name are not exported.
    validation: { notExported: false, invalidLink: false, rewrittenLink: false },
    // The compiler has seen these files already.
    skipErrorChecking: true,
    logLevel: 'Error',
  });
  const project = await application.convert();
  if (project === undefined) throw new Error('typedoc read nothing; run npm run build first');
  for (const child of project.children ?? []) {
    // typedoc calls an entry by its path: evenhand/dist/doors/data.
    const entry = all.find(({ file }) => file.replace(/^packages\/|(\/index)?\.d\.ts$/g, '') === child.name);
    if (entry === undefined) throw new Error(`internal: ${child.name} is no entry of a package`);
    child.name = entry.name;
  }
  await application.generateOutputs(project);
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'))) {
    const page = join(folder, file);
    writeFileSync(page, withAnchorsThatAreThere(readFileSync(page, 'utf8')));
  }
}

/** typedoc counts a name twice that is a heading and a row of a table; the site counts headings alone. */
function withAnchorsThatAreThere(page) {
  const headings = new Map();
  for (const [, heading] of page.matchAll(/^#+ ([^\n(<]+)/gm)) {
    const slug = heading.trim().toLowerCase();
    headings.set(slug, (headings.get(slug) ?? 0) + 1);
  }
  return page.replaceAll(/\(#([\w]+)-(\d+)\)/g, (link, name, number) => {
    const count = headings.get(name) ?? 0;
    return count > 0 && Number(number) >= count ? `(#${name}${count === 1 ? '' : `-${count - 1}`})` : link;
  });
}
