import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { renderFlowCharts } from './flow-chart.js';
import { linksWithinTheSite } from './links.js';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** Of some pages those that are there: the API is written before the site is built, and not kept. */
function pages(...items: readonly (readonly [text: string, page: string])[]): DefaultTheme.SidebarItem[] {
  return items
    .filter(([, page]) => existsSync(`${docs}${page}.md`))
    .map(([text, page]) => ({ text, link: `/${page}` }));
}

export default defineConfig({
  title: 'Evenhand',
  description: 'Trains classifiers that do not ignore the rare class, in TypeScript.',
  lang: 'en',
  cleanUrls: false,
  // Where the site is not at the root of its host.
  base: process.env.SITE_BASE ?? '/',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.SITE_BASE ?? '/'}favicon.svg` }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      linksWithinTheSite(markdown);
      renderFlowCharts(markdown);
    },
  },
  // The index of the search is one file.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    outline: [2, 3],
    // Its label is read aloud in place of what the link says: the same.
    notFound: { linkLabel: 'Take me home' },
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Methods', link: '/choosing' },
      { text: 'Results', link: '/results' },
      { text: 'Command line', link: '/cli' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [
      {
        text: 'Begin',
        items: pages(
          ['Five-minute start', 'start'],
          ['Which method?', 'choosing'],
          ['Pitfalls', 'pitfalls'],
          ['Gallery', 'gallery'],
          ['Questions and answers', 'faq'],
        ),
      },
      {
        text: 'Guides',
        items: pages(
          ['Tables', 'your-table'],
          ['Images', 'images'],
          ['From probabilities to answers', 'decisions'],
          ['Runs and their files', 'runs'],
          ['Sweeps', 'sweeps'],
          ['Several machines', 'cluster'],
          ['The studio', 'studio'],
          ['Serving', 'serving'],
          ['Streams', 'streams'],
          ['In the browser', 'browser'],
          ['With Python', 'python'],
        ),
      },
      {
        text: 'How it works',
        items: pages(
          ['The method', 'method'],
          ['Playground', 'playground'],
          ['Rates that set themselves', 'rates'],
          ['The default for tables', 'learner'],
        ),
      },
      {
        text: 'Results',
        items: pages(
          ['In short', 'results'],
          ['Seven tables', 'tables'],
          ['Does the paper reproduce?', 'reproduction'],
        ),
      },
      {
        text: 'Reference',
        items: pages(
          ['Command line', 'cli'],
          ['Configuration', 'configuration'],
          ['API', 'api/index'],
          ['Error messages', 'api/errors'],
          ['Promises', 'promises'],
          ['Changelog', 'changelog'],
        ),
      },
      {
        text: 'Packages',
        collapsed: true,
        items: pages(
          ['evenhand', 'packages/evenhand'],
          ['@evenhand/encoding', 'packages/encoding'],
          ['@evenhand/resampling', 'packages/resampling'],
          ['@evenhand/streams', 'packages/streams'],
          ['@evenhand/tfjs', 'packages/tfjs'],
          ['@evenhand/trees', 'packages/trees'],
          ['@evenhand/engine', 'packages/engine'],
          ['@evenhand/paper', 'packages/paper'],
        ),
      },
    ],
  },
});
