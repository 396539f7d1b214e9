import { inertMarkdown } from 'evenhand/report';
import type { Block, Column, Panel, Prose, ReproductionDocument } from './document.js';
import { FIGURES_FOLDER } from './svg-file.js';

/** The document as Markdown, with links to the drawings. */
export function renderMarkdown({ title, lead, sections }: ReproductionDocument): string {
  const parts = sections.map(({ heading, blocks }) => [`## ${inertMarkdown(heading)}`, ...blocks.map(block)]);
  return `${[`# ${inertMarkdown(title)}`, ...lead.map(prose), ...parts.flat()].join('\n\n')}\n`;
}

/** Blocks as Markdown, to stand in another document. */
export function renderBlocks(blocks: readonly Block[]): string {
  return blocks.map(block).join('\n\n');
}

function prose(text: Prose): string {
  if (typeof text === 'string') return inertMarkdown(text);
  const parts = text.map((part) => {
    if (typeof part === 'string') return inertMarkdown(part);
    return 'code' in part ? code(part.code) : `**${inertMarkdown(part.strong)}**`;
  });
  return parts.join('');
}

/** Between backticks nothing can be escaped: what has one, or a table's border, is shown as text. */
function code(text: string): string {
  return /[`|\p{Cc}]/u.test(text) ? inertMarkdown(text) : `\`${text}\``;
}

function block(given: Block): string {
  switch (given.kind) {
    case 'heading':
      return `### ${inertMarkdown(given.text)}`;
    case 'paragraph':
      return prose(given.text);
    case 'list':
      return given.items.map((item) => `- ${prose(item)}`).join('\n');
    case 'table':
      return table(given.columns, given.rows);
    case 'commands':
      return ['```sh', ...given.lines, '```'].join('\n');
    case 'panels':
      return given.panels.map(panel).join('\n\n');
  }
}

function table(columns: readonly Column[], rows: readonly (readonly Prose[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ name }) => inertMarkdown(name))),
    line(columns.map(({ text }, i) => (i === 0 || text ? ':--' : '--:'))),
    ...rows.map((cells) => line(cells.map(prose))),
  ].join('\n');
}

function panel({ file, title, caption }: Panel): string {
  return `![${inertMarkdown(title)}](${FIGURES_FOLDER}/${file}.svg)\n\n*${inertMarkdown(title)}.* ${prose(caption)}`;
}
