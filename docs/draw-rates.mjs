// Draws ε and μ over the epochs of a run with automatic rates, as its report does, for docs/rates.md:
//
//   node docs/draw-rates.mjs runs/long-tail
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLOURS } from 'evenhand/report';

const DRAWINGS = {
  'enhancement rate ε over epochs': 'enhancement-rate',
  'updating rate μ over epochs': 'updating-rate',
};
const STYLE =
  '.chart { background: var(--page); color: var(--ink); font: 12px system-ui, sans-serif; --plot-background: var(--page); }';

const [run] = process.argv.slice(2);
if (run === undefined) throw new Error('name the folder of a run that has a report');
const page = await readFile(join(run, 'report.html'), 'utf8');
for (const [label, name] of Object.entries(DRAWINGS)) {
  const drawing = [...page.matchAll(/<svg[^>]*>.*?<\/svg>/gs)].map(([svg]) => svg).find((svg) => svg.includes(label));
  if (drawing === undefined) throw new Error(`${run}/report.html has no drawing "${label}"`);
  const end = drawing.indexOf('>') + 1;
  const text = `<svg xmlns="http://www.w3.org/2000/svg"${drawing.slice('<svg'.length, end)}<style>${COLOURS}${STYLE}</style>${drawing.slice(end)}\n`;
  await writeFile(new URL(`figures/${name}.svg`, import.meta.url), text);
}
