import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Folders of the product's sources, as a reader would call them. */
const TITLES = new Map([
  ['tables', 'Reading a table'],
  ['images', 'Reading an image'],
  ['sources', 'Data sources'],
  ['archives', 'Archives'],
  ['dataset', 'The data set'],
  ['splits', 'Splitting into training and test'],
  ['config', 'Configuration'],
  ['methods', 'Methods'],
  ['preprocessing', 'Preprocessing'],
  ['training', 'Training'],
  ['runs', 'Runs and their files'],
  ['files', 'Files'],
  ['trials', 'Several runs'],
  ['sweep', 'Sweeps'],
  ['queue', 'Queues and workers'],
  ['store', 'Data for workers'],
  ['evaluation', 'Evaluation'],
  ['decision', 'Decisions'],
  ['prediction', 'Prediction'],
  ['report', 'Reports'],
  ['serve', 'Serving'],
  ['studio', 'The studio'],
  ['stream', 'Streams'],
  ['cli', 'The command line'],
]);

/** Writes a page with every message of a `UserError` in the sources of evenhand: what happened, and what to do about it. */
export function writeErrors(file) {
  const sources = join(repository, 'packages', 'evenhand', 'src');
  const sections = readdirSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, messages: messagesIn(join(sources, name)) }))
    .filter(({ messages }) => messages.length > 0);
  const place = ({ name }) => [...TITLES.keys()].indexOf(name);
  const unknown = sections.filter((section) => place(section) === -1);
  if (unknown.length > 0) throw new Error(`write-errors.mjs has no title for ${unknown.map(({ name }) => name)}`);
  const text = sections
    .sort((a, b) => place(a) - place(b))
    .map(({ name, messages }) => `## ${TITLES.get(name)}\n\n${messages.map(entryOf).join('\n')}\n`);
  writeFileSync(file, `${INTRODUCTION}\n${text.join('\n')}`);
}

function messagesIn(folder) {
  const found = new Set();
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'));
  for (const file of files.sort()) {
    const path = join(folder, file);
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'UserError') {
        const [message] = node.arguments ?? [];
        const text = message === undefined ? '' : textOf(message).trim();
        // A message that is composed elsewhere says nothing here.
        if (text.replaceAll('…', '').trim().length > 8) found.add(text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].sort((a, b) => a.localeCompare(b, 'en'));
}

/** The text of a message; what depends on the case is an ellipsis. */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return textOf(node.left) + textOf(node.right);
  }
  return '…';
}

/** The last part of a message, behind a semicolon or full stop, is what to do. */
function entryOf(message) {
  const [, what = message, then] = /^(.*?)[;.] ([^;]*?)\.?$/s.exec(message) ?? [];
  const line = `- ${inMarkdown(what)}`;
  return then === undefined ? line : `${line}<br>**→** ${inMarkdown(then)}`;
}

function inMarkdown(text) {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{', '&#123;')
    .replaceAll(/([\\`*_[\]|])/g, '\\$1');
}

const INTRODUCTION = `# Error messages

Every message about something that you can fix, grouped by what was being done; after the arrow is what to do about it. An ellipsis stands for what depends on the case: a file, a line, a column, a value. Such an error ends a command with
exit code 2, and leaves nothing half-written behind. [Questions and answers](../faq.md) explains the most common ones.

Messages that begin with *internal:* are bugs in Evenhand: please run the command again with \`--debug\` and report what it prints.
`;
