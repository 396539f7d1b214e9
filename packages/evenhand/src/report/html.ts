/** Text that is HTML already. Everything else is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** What {@link html} takes: texts and numbers, which are escaped, HTML, which is not, and lists of these. */
type Content = string | number | Html | readonly Content[];

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
  // Harmless in HTML; whoever copies a part of the page into a script should not fall over them.
  ['\u2028', '&#8232;'],
  ['\u2029', '&#8233;'],
]);

/**
 * A template whose holes are inert: ``html`<p title="${name}">${name}</p>` `` shows any name as text. Attributes need their
 * quotes.
 */
export function html(parts: TemplateStringsArray, ...holes: readonly Content[]): Html {
  return new Html(parts.map((part, i) => part + textOf(holes[i] ?? '')).join(''));
}

function textOf(content: Content): string {
  if (content instanceof Html) return content.text;
  if (typeof content === 'string') return escapeText(content);
  if (typeof content === 'number') return String(content);
  return content.map(textOf).join('');
}

function escapeText(text: string): string {
  return text.replace(/[&<>"'\u2028\u2029]/g, (character) => ENTITIES.get(character) ?? '');
}
