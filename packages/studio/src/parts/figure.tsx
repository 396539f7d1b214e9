import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { savePng, saveSvg } from '../charts/save-picture.js';

interface FigureProps {
  readonly title: string;
  readonly caption?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A chart with its title, and buttons that save it. */
export function Figure({ title, caption, children }: FigureProps) {
  const figure = useRef<HTMLElement>(null);
  const chart = () => figure.current?.querySelector<SVGSVGElement>('svg.chart') ?? null;
  return (
    <figure ref={figure}>
      <div class="figure-head">
        <h3>{title}</h3>
        <PictureButtons title={title} chart={chart} />
      </div>
      {children}
      {caption === undefined ? null : <figcaption>{caption}</figcaption>}
    </figure>
  );
}

/** Buttons that save a chart. */
function PictureButtons({ title, chart }: { readonly title: string; readonly chart: () => SVGSVGElement | null }) {
  const withChart = (work: (svg: SVGSVGElement) => void) => () => {
    const svg = chart();
    if (svg !== null) work(svg);
  };
  return (
    <span class="save">
      <button type="button" aria-label={`Save “${title}” as SVG`} onClick={withChart((svg) => saveSvg(svg, title))}>
        SVG
      </button>
      <button
        type="button"
        aria-label={`Save “${title}” as PNG`}
        onClick={withChart((svg) => void savePng(svg, title))}
      >
        PNG
      </button>
    </span>
  );
}
