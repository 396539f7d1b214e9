import { Html, html } from './html.js';
import { STYLE } from './style.js';

/** Nothing is loaded and nothing runs: whatever a name contains, it stays text. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** A whole page that needs no other file. */
export function page(title: string, body: Html): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return text;
}

/** A part of a page under a heading. */
export function section(heading: string, body: Html): Html {
  return html`<section>
<h2>${heading}</h2>
${body}
</section>
`;
}

/** A box that scrolls by itself where its content is too wide, and then says so, or with `tall` too high, for the page. */
export function scrolling(label: string, content: Html, tall = false): Html {
  return html`<div class="${tall ? 'scroll tall' : 'scroll'}" tabindex="0" role="region" aria-label="${label}"><p class="hint" aria-hidden="true">There is more to the right ⟶</p>${content}</div>`;
}
