import type { MarkdownRenderer } from 'vitepress';

/** Documents outside of `docs` that have a page of their own on the site. */
const PAGES = new Map([
  ['CHANGELOG.md', '/changelog.md'],
  ...['evenhand', 'encoding', 'resampling', 'streams', 'tfjs', 'trees', 'engine', 'paper'].map(
    (name) => [`packages/${name}`, `/packages/${name}.md`] as const,
  ),
]);

/**
 * Pages are also read in the repository, where they link to files and folders that the site does not have. Of those links, the site
 * keeps the text. A link to a document that has a page here goes to the page.
 */
export function linksWithinTheSite(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links-within-the-site', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isKept = true;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const target = withinTheSite(token.attrGet('href') ?? '', folderOf(env));
          isKept = target !== undefined;
          if (target !== undefined) token.attrSet('href', target);
        }
        if (!isKept && (token.type === 'link_open' || token.type === 'link_close')) token.tag = 'span';
        if (!isKept && token.type === 'link_open') token.attrs = null;
        if (!isKept && (token.type === 'link_open' || token.type === 'link_close'))
          token.type = `span_${token.nesting}`;
      }
    }
  });
}

/** The folder of a page below `docs`: README files are shown as pages of `packages`, and link from where they are. */
function folderOf(env: { readonly relativePath?: string }): string {
  const path = env.relativePath ?? '';
  if (/^packages\//.test(path)) return path.replace(/\.md$/, '/');
  return path === 'changelog.md' ? '' : `docs/${path.replace(/[^/]*$/, '')}`;
}

function withinTheSite(href: string, folder: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const full = new URL(path, `file:///${folder}`).pathname.slice(1).replace(/\/$/, '');
  const hash = fragment === undefined ? '' : `#${fragment}`;
  const page = PAGES.get(full.replace(/\/README\.md$/, ''));
  if (page !== undefined) return `${page}${hash}`;
  return full.startsWith('docs/') ? `/${full.slice('docs/'.length)}${hash}` : undefined;
}
