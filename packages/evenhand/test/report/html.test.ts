import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { Html, html } from '../../src/report/html.js';
import { chartNames, shortName, textWidth } from '../../src/report/names.js';

describe('the html template', () => {
  it('fault 32: escapes what could end a text or an attribute', () => {
    expect(html`<p title="${'"><img onerror=x>'}">${"</p><script>'&\u2028"}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;img onerror=x&gt;">&lt;/p&gt;&lt;script&gt;&#39;&amp;&#8232;</p>',
    );
  });

  it('leaves HTML and numbers as they are, also in lists', () => {
    expect(html`${[html`<b>${1.5}</b>`, new Html('<i></i>'), ['&']]}`.text).toBe('<b>1.5</b><i></i>&amp;');
  });

  it('fault 32: any text comes back from a parser as it was, in one element', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'/= ab`;\u2028') }), (text) => {
        const { document } = parseHTML(html`<p title="${text}">${text}</p>`.text);
        const { firstElementChild: element } = document;
        expect(element?.textContent).toBe(text);
        expect(element?.getAttribute('title')).toBe(text);
        expect(element?.childElementCount).toBe(0);
      }),
    );
  });
});

describe('names in charts', () => {
  it('fit, without cutting a character in two', () => {
    expect(shortName('x'.repeat(200))).toBe(`${'x'.repeat(17)}…`);
    expect(shortName('👩‍🚀'.repeat(20))).toBe(`${'👩‍🚀'.repeat(9)}…`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
        expect(textWidth(shortName(name))).toBeLessThanOrEqual(126);
      }),
    );
  });

  it('of 160,000 letters take no longer than others', () => {
    const begun = performance.now();
    expect(shortName('x'.repeat(160_000))).toBe(`${'x'.repeat(17)}…`);
    expect(performance.now() - begun).toBeLessThan(500);
  });

  it('are on one line, and never empty', () => {
    expect(shortName('a\r\n\u2028b')).toBe('a b');
    expect(shortName('\u202e')).toBe('(no name)');
  });

  it('stay different when cut', () => {
    expect(chartNames([`${'x'.repeat(40)}1`, `${'x'.repeat(40)}2`, 'y'])).toEqual([
      `${'x'.repeat(17)}…`,
      `${'x'.repeat(17)}… (2)`,
      'y',
    ]);
  });
});
