import { type PlotOptions, plot } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { Html } from '../html.js';

/** What is used of an element: this package knows no browser. */
interface SvgElement {
  readonly outerHTML: string;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  querySelectorAll(selector: string): Iterable<SvgElement>;
}

/** Width of charts in pixels: two fit side by side on a desk; a phone makes them a tenth smaller. */
export const CHART_WIDTH = 400;

/**
 * Draws a chart as SVG. Colours are CSS variables of the page, so that it follows light and dark.
 *
 * @param label - what it shows, for those who cannot see it; null for a mere ornament
 */
export function chart(label: string | null, options: PlotOptions): Html {
  const { document } = parseHTML('<!doctype html><html></html>');
  const svg: SvgElement = plot({ width: CHART_WIDTH, ...options, document, className: 'chart' });
  for (const style of svg.querySelectorAll('style')) style.remove(); // the page has its own
  // An image has one label: its parts have none.
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  if (label === null) {
    svg.setAttribute('aria-hidden', 'true');
  } else {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  }
  return new Html(svg.outerHTML);
}

/** The colour of one of several series; there are ten. */
export function seriesColour(index: number): string {
  return `var(--series-${index % 10})`;
}

const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye', 'cross'] as const;

/** The symbol of one of several series: nobody has to tell colours apart. */
export function seriesSymbol(index: number): (typeof SYMBOLS)[number] {
  return SYMBOLS[index % SYMBOLS.length] ?? 'circle';
}
