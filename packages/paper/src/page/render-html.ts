import { type Html, html, page, scrolling, section } from 'evenhand/report';
import type { Block, Column, Panel, Prose, ReproductionDocument } from './document.js';

/** The document as one page that needs no other file. */
export function renderHtml({ title, lead, sections }: ReproductionDocument): string {
  const body = html`<header>
<h1>${title}</h1>
${lead.map((text) => html`<p class="lead">${prose(text)}</p>\n`)}</header>
${sections.map(({ heading, blocks }) => section(heading, html`${blocks.map(block)}`))}`;
  return page(title, body);
}

function prose(text: Prose): Html {
  if (typeof text === 'string') return html`${text}`;
  return html`${text.map((part) => {
    if (typeof part === 'string') return part;
    return 'code' in part ? html`<code>${part.code}</code>` : html`<strong>${part.strong}</strong>`;
  })}`;
}

function block(given: Block): Html {
  switch (given.kind) {
    case 'heading':
      return html`<h3>${given.text}</h3>\n`;
    case 'paragraph':
      return html`<p>${prose(given.text)}</p>\n`;
    case 'list':
      return html`<ul>${given.items.map((item) => html`<li>${prose(item)}</li>`)}</ul>\n`;
    case 'table':
      return html`${scrolling(given.label, table(given.columns, given.rows))}\n`;
    case 'commands':
      return html`${scrolling('Commands', html`<pre><code>${given.lines.join('\n')}</code></pre>`)}\n`;
    case 'panels':
      return html`<div class="charts">\n${given.panels.map(panel)}</div>\n`;
  }
}

function table(columns: readonly Column[], rows: readonly (readonly Prose[])[]): Html {
  const head = columns.map(({ name, text }) => html`<th scope="col"${kindOf(text)}>${name}</th>`);
  const body = rows.map(([first = '', ...cells]) => {
    const others = cells.map((cell, i) => html`<td${kindOf(columns[i + 1]?.text)}>${prose(cell)}</td>`);
    return html`<tr><th scope="row">${prose(first)}</th>${others}</tr>\n`;
  });
  return html`<table><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table>`;
}

function kindOf(text: true | undefined): Html {
  return text === undefined ? html`` : html` class="text"`;
}

function panel({ title, chart, caption }: Panel): Html {
  return html`<figure><h4>${title}</h4>${chart}<figcaption>${prose(caption)}</figcaption></figure>\n`;
}
