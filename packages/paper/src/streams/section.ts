import { dirname, join } from 'node:path';
import { comparePaired } from 'evenhand/evaluation';
import { makeFolder, writeAtomically } from 'evenhand/files';
import type { Html } from 'evenhand/report';
import { at } from '../checked-access.js';
import { markdownTable, signed } from '../documents/markdown-table.js';
import { type WrittenBlock, writeBlock } from '../documents/written-block.js';
import { holmCorrected } from '../holm.js';
import { FIGURES_FOLDER, svgFile } from '../page/svg-file.js';
import { curvesOverTime } from './curves.js';
import { LEARNERS } from './learners.js';
import type { StreamLine } from './stream-lines.js';
import { CHANGES, type ComparedStream, STREAMS } from './streams.js';

/** The part of `docs/streams.md` that is written from the results. */
export const STREAMS_BLOCK: WrittenBlock = {
  name: 'comparison of streams',
  writtenBy: '`npm run streams` from the lines of results/streams/streams.jsonl',
};

/** Pairs of learners that the text compares: what the first adds to the second. */
const QUESTIONS = [
  ['enhancement', 'one-hot'],
  ['balanced-enhancement', 'class-weights'],
  ['enhancement', 'logit-adjustment'],
  ['logit-adjustment', 'one-hot'],
  ['enhancement, replay', 'one-hot, replay'],
] as const;

/** Below it a difference is not taken for chance. */
const SIGNIFICANT = 0.05;

/** Markdown, and the drawings that it shows. */
interface StreamsSection {
  readonly text: string;
  readonly figures: ReadonlyMap<string, Html>;
}

/** Writes tables and drawings about the results that are there into the page. */
export async function writeStreamsSection(file: string, lines: readonly StreamLine[]): Promise<void> {
  const { text, figures } = streamsSection(lines);
  const folder = join(dirname(file), FIGURES_FOLDER);
  await makeFolder(folder);
  for (const [name, drawing] of figures) await writeAtomically(join(folder, name), svgFile(drawing));
  await writeBlock(file, STREAMS_BLOCK, text);
}

/** What was measured. */
export function streamsSection(lines: readonly StreamLine[]): StreamsSection {
  if (lines.length === 0) return { text: 'Nothing has been measured yet.', figures: new Map() };
  const figures = new Map(
    FIGURES.flatMap((stream): [string, Html][] => {
      const drawing = curvesOverTime(stream, lines);
      return drawing === undefined ? [] : [[fileOf(stream), drawing]];
    }),
  );
  const shown = FIGURES.filter((stream) => figures.has(fileOf(stream)));
  const text = [
    'G-mean in per cent: the mean over time, and over all streams of the column. Recalls are exponentially faded, by 0.999 per row.',
    groupTable(lines, 'gMean'),
    'Balanced accuracy in per cent, averaged in the same way:',
    groupTable(lines, 'balancedAccuracy'),
    questions(lines),
    missing(lines),
    ...shown.map((stream) => `![G-mean over time: ${stream.name}](${FIGURES_FOLDER}/${fileOf(stream)})`),
  ];
  return { text: text.filter((part) => part !== '').join('\n\n'), figures };
}

/** Streams that are drawn. */
const FIGURES = STREAMS.filter(
  (stream) =>
    stream.kind === 'made' &&
    ((stream.ratio === 20 && stream.change === 'swapped') || (stream.ratio === 100 && stream.change === 'steady')),
);

function fileOf({ name }: ComparedStream): string {
  return `stream-${name.replace(/[^a-z0-9]+/g, '-')}.svg`;
}

const GROUPS: readonly { readonly title: string; readonly has: (stream: ComparedStream) => boolean }[] = [
  ...CHANGES.map((change) => ({
    title: change,
    has: (stream: ComparedStream) => stream.kind === 'made' && stream.change === change,
  })),
  ...[20, 100].map((ratio) => ({
    title: `1:${ratio}`,
    has: (stream: ComparedStream) => stream.kind === 'made' && stream.ratio === ratio,
  })),
  ...['sea', 'agrawal', 'hyperplane', 'led'].map((name) => ({
    title: name,
    has: (stream: ComparedStream) => stream.kind === 'made' && stream.generator === name,
  })),
  { title: 'tables', has: (stream) => stream.kind === 'table' },
  { title: 'all', has: () => true },
];

function groupTable(lines: readonly StreamLine[], measure: 'gMean' | 'balancedAccuracy'): string {
  const rows = LEARNERS.filter((learner) => lines.some((line) => line.learner === learner)).map((learner) => [
    learner,
    ...GROUPS.map(({ has }) => {
      const names = new Set(STREAMS.filter(has).map(({ name }) => name));
      const own = lines.filter((line) => line.learner === learner && names.has(line.stream));
      return own.length === 0 ? '–' : (100 * meanOf(own.map((line) => line[measure]))).toFixed(1);
    }),
  ]);
  return markdownTable(['', ...GROUPS.map(({ title }) => title)], rows);
}

/** On how many streams one learner is ahead of another, by a paired t-test over the seeds with Holm's correction for all streams. */
function questions(lines: readonly StreamLine[]): string {
  const sentences = QUESTIONS.flatMap(([one, other]) => {
    const compared = STREAMS.flatMap(({ name }) => {
      const pairs = pairsOf(lines, name, one, other);
      return pairs.length < 2
        ? []
        : [
            comparePaired(
              pairs.map(([ours]) => ours),
              pairs.map(([, theirs]) => theirs),
            ),
          ];
    });
    if (compared.length === 0) return [];
    const corrected = holmCorrected(compared.map(({ tTest }) => tTest.value));
    const told = compared.filter((_, i) => (at(corrected, i) ?? 1) < SIGNIFICANT);
    const [ahead, behind] = [told.filter((c) => c.meanDifference > 0), told.filter((c) => c.meanDifference < 0)];
    const mean = 100 * meanOf(compared.map(({ meanDifference }) => meanDifference));
    return [[`${one} − ${other}`, signed(mean), ahead.length, behind.length, compared.length - told.length]];
  });
  if (sentences.length === 0) return '';
  const table = markdownTable(
    ['difference of G-means', 'mean, percentage points', 'streams ahead', 'behind', 'cannot tell'],
    sentences,
  );
  return `Paired t-tests over the seeds, one per stream, with Holm’s correction for all streams of a row (p < ${SIGNIFICANT}):\n\n${table}`;
}

function pairsOf(lines: readonly StreamLine[], stream: string, one: string, other: string): [number, number][] {
  const of = (learner: string) => lines.filter((line) => line.stream === stream && line.learner === learner);
  return of(one).flatMap(({ seed, gMean }): [number, number][] => {
    const partner = of(other).find((line) => line.seed === seed);
    return partner === undefined ? [] : [[gMean, partner.gMean]];
  });
}

function missing(lines: readonly StreamLine[]): string {
  const seeds = Math.max(...lines.map(({ seed }) => seed)) + 1;
  const expected = STREAMS.length * LEARNERS.length * seeds;
  if (lines.length >= expected) return `${seeds} seeds of each of ${STREAMS.length} streams.`;
  return `These are preliminary: ${lines.length} of ${expected} results (${seeds} seeds of ${STREAMS.length} streams) are there.`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
