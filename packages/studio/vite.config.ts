import { fileURLToPath } from 'node:url';
import { STYLE } from 'evenhand/report';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `import 'virtual:report.css'`: the style sheet of the reports, so that pages and reports speak one visual language. */
export const reportStyle: Plugin = {
  name: 'report-style',
  resolveId: (id) => (id === 'virtual:report.css' ? '\0report.css' : undefined),
  load: (id) => (id === '\0report.css' ? STYLE : undefined),
};

/** JSX is preact's. */
export const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

export default defineConfig({
  root: here('.'),
  // Relative addresses: the same files are served by the studio and work from any folder of a static server.
  base: './',
  plugins: [reportStyle],
  oxc: jsx,
  build: {
    outDir: here('../evenhand/dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    // The page allows no data: scripts or fonts; what is small stays a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { studio: here('index.html') } },
    reportCompressedSize: false,
  },
});
