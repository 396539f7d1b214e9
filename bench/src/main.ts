import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCsv } from './csv.js';
import { benchEncoding } from './encoding.js';
import { benchEngine } from './engine.js';
import type { Comparison } from './measure.js';
import { benchOverhead } from './overhead.js';
import { benchResampling } from './resampling.js';
import { benchServe } from './serve.js';
import { benchStreams } from './streams.js';
import { benchStudio } from './studio.js';
import { benchTrees } from './trees.js';

const HELP = `Compares Evenhand's speed with its peers', alternating in one run; a ratio above 1 means ours is faster (or smaller).

  npm run bench                    all suites, as tables
  npm run bench -- --json          one JSON object
  npm run bench -- encoding        one suite
  npm run bench -- --quick         small sizes: does it run? (the ratios mean nothing)
`;

const SUITES = {
  encoding: benchEncoding,
  engine: benchEngine,
  csv: benchCsv,
  overhead: benchOverhead,
  resampling: benchResampling,
  serve: benchServe,
  streams: benchStreams,
  studio: benchStudio,
  trees: benchTrees,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});

if (values.help === true) {
  process.stdout.write(HELP);
} else {
  const unknown = positionals.find((name) => !Object.hasOwn(SUITES, name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no suite "${unknown}"; the suites are: ${Object.keys(SUITES).join(', ')}.\n`);
    process.exit(2);
  }
  const results: Record<string, Comparison[]> = {};
  for (const [name, suite] of Object.entries(SUITES)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    results[name] = await suite(values.quick === true, (text) => process.stderr.write(`${text}\n`));
  }
  if (values.json === true) {
    const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
    process.stdout.write(`${JSON.stringify({ machine, quick: values.quick === true, ...results }, null, 2)}\n`);
  } else {
    for (const [name, comparisons] of Object.entries(results)) process.stdout.write(`\n${table(name, comparisons)}\n`);
  }
}

function table(name: string, comparisons: readonly Comparison[]): string {
  const width = Math.max(...comparisons.map((comparison) => comparison.name.length));
  return [
    name,
    ...comparisons.map(({ name: work, unit, ours, theirs, ratio, peer }) => {
      const numbers = [
        `${ours} ${unit}`,
        theirs === null ? '–' : `${theirs} ${unit}`,
        ratio === null ? '–' : `${ratio.toFixed(2)}×`,
      ];
      return `  ${work.padEnd(width)} ${numbers.map((text) => text.padStart(10)).join('')}  ${peer ?? ''}`;
    }),
  ].join('\n');
}
