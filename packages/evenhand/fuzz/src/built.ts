/** What no door of the package leads to, as it was built. */
const DIST = new URL('../../dist/', import.meta.url).href;

export const { extractArchive }: typeof import('../../src/archives/extract-archive.js') = await import(
  `${DIST}archives/extract-archive.js`
);
export const { readSweep }: typeof import('../../src/sweep/sweep-folder.js') = await import(
  `${DIST}sweep/sweep-folder.js`
);
export const { loadPlan, savePlan }: typeof import('../../src/trials/plan-file.js') = await import(
  `${DIST}trials/plan-file.js`
);
