import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { userDocuments } from './documents.js';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** Phrases that readers stumbled over, and what is clear instead. Documents, help, errors and reports have none of them. */
const UNCLEAR: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [
    /\b(?:a|one|1) (?:line|row|thread|number|process|model) an? (?:instance|epoch|run|class|step|fold|trial|training step)\b/i,
    'one line per epoch',
  ],
  [
    /(?:\d|two|three|five|ten) (?:\w+ )?(?:instances|examples|images|rows|seconds) a (?:class|fold|step|run|trial)\b/,
    'instances per class',
  ],
  [/down to \S+ a class/i, 'down to 7 per class'],
  [/\bimages? (?:were|was|are|is)? ?moved about\b/i, 'random shifts of up to 2 pixels'],
  [/times that training goes through/i, 'number of epochs'],
  [/\bwhat computes\b/i, 'device'],
  [/probabilities (?:more )?honest|honest probabilities/i, 'calibrate the probabilities'],
  [/learn(?:ed|s)? them untested/i, 'train on them but leave them out of the test'],
  [/labels of that(?! moment)/i, 'from this the method computes the labels'],
  [/\bnone of ours\b|\bthe value that is none\b/i, 'what it is instead'],
  [/\bare the most\b|\bis alike\b/i, 'most are like this; the same holds for'],
  [/(?:rows|seeds) are still missing/i, 'preliminary: some rows or seeds are missing'],
  [/both lines together/i, 'both commands together'],
  [/\b(?:differences? )?in points\b|[0-9}] points\b(?! of the (?:map|curve))/i, 'percentage points'],
];

/** What is not about shares: points that are painted in the playground, and points of curves. */
const NOT_SHARES = /playground|points\.ts|plots\//;

function findings(name: string, text: string): string[] {
  return UNCLEAR.flatMap(([phrase, instead]) => {
    if (instead === 'percentage points' && NOT_SHARES.test(name)) return [];
    const found = phrase.exec(text.replaceAll(/\s+/g, ' '))?.[0];
    return found === undefined ? [] : [`${name}: "${found}"; rather: ${instead}`];
  });
}

test('no document has a phrase that readers stumble over', () => {
  const documents = [
    ...userDocuments(),
    ...['CHANGELOG.md', 'SECURITY.md', 'results/README.md'].map((path) => ({
      path,
      text: readFileSync(join(repository, path), 'utf8'),
    })),
  ];
  expect(documents.length).toBeGreaterThan(25);
  expect(documents.flatMap(({ path, text }) => findings(path, text))).toEqual([]);
});

test('no help, error, note or report has one', () => {
  const sources = readdirSync(join(repository, 'packages'))
    .map((name) => join('packages', name, 'src'))
    .flatMap((folder) => filesIn(folder));
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.flatMap((path) => textsOf(path).flatMap((text) => findings(path, text)))).toEqual([]);
});

test('the list finds the phrases that it was made of', () => {
  for (const phrase of [
    ...['a row an instance', 'one line an epoch', '1 thread a run', '5 instances a class', 'from 90 down to 7 a class'],
    ...['images moved about by up to 2 pixels', 'make the probabilities honest', 'differences in points', '0.7 points'],
    ...['which is none of ours', 'late in training such examples are the most', 'rows or seeds are still missing'],
  ]) {
    expect(findings('some page', phrase), phrase).toHaveLength(1);
  }
  expect(findings('some page', '0.7 percentage points, and one line per epoch')).toEqual([]);
});

function filesIn(folder: string): string[] {
  try {
    return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file));
  } catch {
    // Another branch may have left the folder of a package behind.
    return [];
  }
}

/** The texts in a source: literals, templates and what stands between tags; comments are not for users. */
function textsOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(join(repository, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isJsxText(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) texts.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.filter((text) => text.includes(' '));
}
