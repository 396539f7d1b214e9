import type { Html } from 'evenhand/report';
import { COLOURS } from 'evenhand/report';

/** Where the drawings go, beside the page. */
export const FIGURES_FOLDER = 'figures';

/** In the page, its style sheet says this. */
const CHART_STYLE = `
.chart { background: var(--page); color: var(--ink); font: 12px system-ui, sans-serif; --plot-background: var(--page); }
.chart text { white-space: pre; }
`;

/** A drawing as a file of its own: it follows light and dark as the page does. */
export function svgFile({ text }: Html): string {
  // In HTML the name says enough; in a file of its own it needs its namespace.
  const end = text.indexOf('>') + 1;
  return `<svg xmlns="http://www.w3.org/2000/svg"${text.slice('<svg'.length, end)}<style>${COLOURS}${CHART_STYLE}</style>${text.slice(end)}\n`;
}
