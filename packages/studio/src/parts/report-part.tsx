import { useEffect, useRef } from 'preact/hooks';
import { savePng, saveSvg } from '../charts/save-picture.js';
import { saveCsv, tableRows } from './csv.js';
import { Fault, Loading } from './notices.js';
import { useAnswer } from './use-answer.js';

interface ReportPartProps {
  readonly address: string;
  /** What is loaded, for the time until it is there. */
  readonly what: string;
  readonly occasion?: number;
}

/** A part of a report, as the server writes it. */
export function ReportPart({ address, what, occasion = 0 }: ReportPartProps) {
  const { answer, fault } = useAnswer<{ html: string }>(address, occasion);
  if (fault !== undefined) return <Fault message={fault} />;
  return answer === undefined ? <Loading what={what} /> : <ReportHtml html={answer.html} />;
}

/** HTML that the server made: every name in it is escaped there, and the page's policy runs nothing that is written in it. */
export function ReportHtml({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.innerHTML = html;
    addButtons(element);
  }, [html]);
  return <div class="report" ref={box} />;
}

/** Every picture can be saved as SVG and PNG, every table as CSV. */
function addButtons(report: HTMLElement): void {
  for (const figure of report.querySelectorAll('figure')) {
    const svg = [...figure.querySelectorAll<SVGSVGElement>('svg.chart')].find((one) => one.closest('.legend') === null);
    const title = figure.querySelector('h3');
    if (svg === undefined || title === null) continue;
    const name = title.textContent ?? 'chart';
    const head = document.createElement('div');
    head.className = 'figure-head';
    title.replaceWith(head);
    head.append(
      title,
      buttons([
        ['SVG', `Save “${name}” as SVG`, () => saveSvg(svg, name)],
        ['PNG', `Save “${name}” as PNG`, () => void savePng(svg, name)],
      ]),
    );
  }
  for (const table of report.querySelectorAll('table')) {
    const name = table.closest('[aria-label]')?.getAttribute('aria-label') ?? 'Table';
    const place = table.closest('.scroll') ?? table;
    const bar = document.createElement('div');
    bar.className = 'table-foot';
    bar.append(buttons([['CSV', `Save “${name}” as CSV`, () => saveCsv(tableRows(table), name)]]));
    place.after(bar);
  }
}

function buttons(all: readonly (readonly [text: string, label: string, work: () => void])[]): HTMLElement {
  const span = document.createElement('span');
  span.className = 'save';
  for (const [text, label, work] of all) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', work);
    span.append(button);
  }
  return span;
}
