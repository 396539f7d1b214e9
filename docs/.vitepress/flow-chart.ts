import type { MarkdownRenderer } from 'vitepress';

/** An arrow of a chart: what is answered, and where that leads. */
interface Arrow {
  readonly from: string;
  readonly answer: string;
  readonly to: string;
}

/**
 * Shows a Mermaid flow chart that is a tree, `question -- answer --> next`, as nested lists: readable for everybody, without a library
 * of megabytes that draws it.
 */
export function renderFlowCharts(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, options, env, self) ?? '';
    return flowChart(token.content);
  };
}

function flowChart(chart: string): string {
  const texts = new Map<string, string>();
  for (const [, name = '', text = ''] of chart.matchAll(/(\w+)[[{]"([^"]*)"[\]}]/g)) texts.set(name, text);
  const arrows = [...chart.matchAll(/(\w+) -- "?([^">]*?)"? --> (\w+)/g)].map(
    ([, from = '', answer = '', to = '']): Arrow => ({ from, answer, to }),
  );
  const [first] = texts.keys();
  if (first === undefined || arrows.length === 0) throw new Error(`Expected a flow chart of arrows: ${chart}`);
  const below = (name: string): string => {
    const own = arrows.filter(({ from }) => from === name);
    const items = own.map(({ answer, to }) => `<li><em>${answer}</em>: ${texts.get(to) ?? to}${below(to)}</li>`);
    return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
  };
  return `<div class="flow-chart"><p><strong>${texts.get(first)}</strong></p>${below(first)}</div>`;
}
