import { spawnSync } from 'node:child_process';
import {
  addExamples,
  addOutputOptions,
  countOf,
  type DefineCommand,
  interruptible,
  oneOf,
  printable,
  terminalOf,
  textOf,
  valuesOf,
} from 'evenhand/command-line';
import { npmScript } from '../npm-script.js';
import { LEARNERS } from '../streams/learners.js';
import { streamsSection, writeStreamsSection } from '../streams/section.js';
import { readStreamLines, runStreams } from '../streams/stream-lines.js';
import { STREAMS } from '../streams/streams.js';

/** Where the comparison of docs is. */
const OWN_FILES = { results: 'results/streams/streams.jsonl', page: 'docs/streams.md' };

const SEEDS = 5;

/** `evenhand-paper streams`. */
export const defineStreams: DefineCommand = (command) => {
  addExamples(command, ['streams', 'streams -- --only "sea 1:20 steady" --seeds 1'], 'npm run')
    .option(
      '--only <streams>',
      `which streams, by comma (default: all ${STREAMS.length}): ${STREAMS.map(({ name }) => name).join(', ')}`,
    )
    .option('--seeds <number>', 'how often each stream is drawn, and learned from', String(SEEDS))
    .option('--results <file>', 'where results are and go', OWN_FILES.results)
    .option(
      '--page <file>',
      `the page that tables and drawings go into (default with these results: ${OWN_FILES.page})`,
    )
    .option('--no-page', 'write into no page')
    .option('--no-learning', 'show, and write into the page, the results that are there');
  return addOutputOptions(command).action(async () => {
    const terminal = terminalOf(command);
    const results = textOf(command, 'results') ?? OWN_FILES.results;
    const withoutPage = results !== OWN_FILES.results || valuesOf(command).page === false;
    const page = textOf(command, 'page') ?? (withoutPage ? null : OWN_FILES.page);
    const names = STREAMS.map(({ name }) => name);
    const only =
      textOf(command, 'only')
        ?.split(',')
        .map((name) => oneOf('--only', name.trim(), names)) ?? names;
    if (valuesOf(command).learning !== false) {
      const python = pythonWithSklearn();
      if (python === undefined) terminal.note('note: no Python with scikit-learn was found; its learners are left out');
      const runs = {
        streams: STREAMS.filter(({ name }) => only.includes(name)),
        learners: LEARNERS,
        seeds: countOf(command, '--seeds') ?? SEEDS,
        python,
        onProgress: (text: string) => terminal.note(text),
      };
      await interruptible(
        terminal,
        (signal) => runStreams(results, { ...runs, signal }),
        () => `interrupted; continue with:\n  ${printable(npmScript('streams', ...process.argv.slice(3)))}`,
      );
    }
    const lines = await readStreamLines(results);
    if (page !== null) await writeStreamsSection(page, lines);
    terminal.say(streamsSection(lines).text);
    terminal.say(`  results  ${printable(results)}`);
    if (page !== null) terminal.say(`  page     ${printable(page)}`);
    terminal.json({ results, page });
  });
};

/** Debian's packages belong to Debian's Python, which need not be the first on the path. */
function pythonWithSklearn(): string | undefined {
  const candidates = [process.env.PYTHON, 'python3', '/usr/bin/python3'];
  return candidates.find((python) => python !== undefined && spawnSync(python, ['-c', 'import sklearn']).status === 0);
}
