// npm run docs: the site in docs/.vitepress/dist, from docs, the packages as they are built, and nothing from elsewhere.
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { deadLinks } from './check-links.mjs';
import { writeApi } from './write-api.mjs';
import { writeErrors } from './write-errors.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const docs = join(repository, 'docs');
const page = join(repository, 'packages', 'evenhand', 'dist', 'page');
if (!existsSync(join(page, 'playground.html')))
  throw new Error('The playground is not built: run npm run build first.');

// Vite copies what is in public as it is.
const playground = join(docs, 'public', 'playground');
rmSync(playground, { recursive: true, force: true });
mkdirSync(playground, { recursive: true });
for (const name of ['playground.html', 'playground']) {
  cpSync(join(page, name), join(playground, name), { recursive: true });
}

await writeApi(join(docs, 'api'));
writeErrors(join(docs, 'api', 'errors.md'));
await build(docs);

const dead = deadLinks(join(docs, '.vitepress', 'dist'), process.env.SITE_BASE);
if (dead.length > 0) throw new Error(`Links that lead nowhere:\n${dead.map((link) => `  ${link}`).join('\n')}`);
console.log('The site is in docs/.vitepress/dist.');
