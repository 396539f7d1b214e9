/**
 * Pages about runs, and the parts that they are made of, for pages of one's own. `evenhand/report`.
 *
 * @packageDocumentation
 */

export { Html, html } from '../report/html.js';
export { rampLegend, seriesLegend } from '../report/legend.js';
export { inertMarkdown } from '../report/markdown.js';
export { named, shortName } from '../report/names.js';
export { page, scrolling, section } from '../report/page.js';
export { CHART_WIDTH, chart, seriesColour, seriesSymbol } from '../report/plots/chart.js';
export type { ChartClasses } from '../report/plots/class-rows.js';
export { embeddingChart } from '../report/plots/embedding.js';
export { heatMap } from '../report/plots/heat-map.js';
export { COLOURS, STYLE } from '../report/style.js';
export { logProbabilities } from '../report/tsne/log-probabilities.js';
export { stratifiedSample } from '../report/tsne/sample.js';
export { tsne } from '../report/tsne/tsne.js';
export { type ComparisonOptions, writeComparison } from '../report/write-comparison.js';
export { type ReportOptions, writeReport } from '../report/write-report.js';
export { writeSweepPage } from '../sweep/page/write-sweep-page.js';
export * from '../wording/numbers.js';
