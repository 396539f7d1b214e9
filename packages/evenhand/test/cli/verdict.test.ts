import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { evenhand, evenhandJson, SMALL } from './evenhand.js';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-verdict-'));
  // Nothing tells the rare class from the common one.
  const rows = Array.from(
    { length: 220 },
    (_, i) => `${(i * 37) % 101},${(i * 53) % 89},${i < 200 ? 'fine' : 'fraud'}\n`,
  );
  await writeFile(join(cwd, 'hopeless.csv'), `x,y,class\n${rows.join('')}`);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const HOOK_MILLISECONDS = 60_000;

const TRAIN = ['train', 'hopeless.csv', '--target', 'class', ...SMALL];

describe('a run that never answers a class', () => {
  const plainly = [...TRAIN, '--method', 'one-hot', '--epochs', '30', '--learning-rate', '0.03'];

  beforeAll(async () => {
    expect(await evenhand([...plainly, '--run', 'lost'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        [
          'Not clearly better than guessing. On average it finds 50.0 % of a class; always answering "fine", the commonest class, would find 50.0 %.',
          'One class is lost: no test instance is found of "fraud" (4 in the test set).',
          'Try npx evenhand train --config lost/config.json with',
          '  --method one-hot,inverse-frequency,logit-adjustment,enhancement  methods that make rare classes count\n',
        ].join('\n'),
      ),
    });
  }, HOOK_MILLISECONDS);

  it('is told so as data with --json', async () => {
    expect(await evenhandJson(['resume', 'lost', '--no-report'], { cwd })).toMatchObject({
      verdict: {
        isBetterThanGuessing: false,
        lost: [{ name: 'fraud', recall: 0, test: 4 }],
        belowChance: [],
        advice: [{ flags: ['--method', 'one-hot,inverse-frequency,logit-adjustment,enhancement'] }, {}, {}, {}],
      },
    });
  });

  it('says the same in its report, from the same judgement', async () => {
    expect((await evenhand(['report', 'lost'], { cwd })).code).toBe(0);
    const { document } = parseHTML(await readFile(join(cwd, 'lost', 'report.html'), 'utf8'));
    const verdict = document.querySelector('.verdict')?.textContent?.replace(/\s+/g, ' ');
    expect(verdict).toContain('One class is lost: no test instance of “fraud” (4 in the test set) is found.');
    expect(verdict).toContain('--method one-hot,inverse-frequency,logit-adjustment,enhancement');
  });
});

const compared = z.object({
  repetitions: z.object({ splits: z.number(), seeds: z.number() }),
  runs: z.array(
    z.object({
      run: z.string(),
      method: z.string(),
      split: z.number(),
      metrics: z.object({ balancedAccuracy: z.object({ value: z.number() }) }),
    }),
  ),
  differences: z.array(
    z.object({ paired: z.record(z.string(), z.object({ over: z.string(), pairs: z.number(), tTest: z.unknown() })) }),
  ),
  verdict: z.object({ best: z.string(), run: z.string(), lost: z.array(z.unknown()) }),
});

describe('train --splits', () => {
  let result: z.output<typeof compared>;
  beforeAll(async () => {
    const args = [...TRAIN.filter((word) => word !== '--no-report'), '--method', 'enhancement,one-hot'];
    result = compared.parse(await evenhandJson([...args, '--splits', '2', '--run', 'splits'], { cwd }));
  }, HOOK_MILLISECONDS);

  it('trains every method on every split, and methods share the test instances of a split', async () => {
    expect((await readdir(join(cwd, 'splits'))).sort()).toEqual([
      'comparison.json',
      'enhancement-split-0-seed-0',
      'enhancement-split-1-seed-0',
      'one-hot-split-0-seed-0',
      'one-hot-split-1-seed-0',
      'report.html',
    ]);
    const tested = async (run: string) =>
      (await readFile(join(cwd, 'splits', run, 'predictions.csv'), 'utf8'))
        .split('\n')
        .map((line) => line.split(',')[0]);
    expect(await tested('one-hot-split-0-seed-0')).toEqual(await tested('enhancement-split-0-seed-0'));
    expect(await tested('one-hot-split-0-seed-0')).not.toEqual(await tested('one-hot-split-1-seed-0'));
  });

  it('compares over the splits, and says so in the terminal and on the page', async () => {
    expect(result.repetitions).toEqual({ splits: 2, seeds: 1 });
    expect(result.differences[0]?.paired.balancedAccuracy).toMatchObject({ over: 'splits', pairs: 2 });
    const { stdout } = await evenhand(['compare', 'splits'], { cwd });
    expect(stdout).toMatch(/method +splits +seeds +accuracy %[^\n]*\n +one-hot +2 +1 /);
    expect(stdout).toContain('; corrected resampled t-test over 2 splits of the data.');
    expect(stdout).toContain(`\nBest: ${result.verdict.best}. On average it finds `);
    const page = await readFile(join(cwd, 'splits', 'report.html'), 'utf8');
    expect(page).toContain('2 splits of the data.</p>');
    expect(page).toContain('Means over splits;');
    expect(page).toMatch(/percentage points of balanced accuracy[^<]*, over 2 splits of the data/);
    expect(page).not.toContain('not tested on the same instances');
    expect(parseHTML(page).document.querySelector('.verdict')?.textContent).toContain(`Best: ${result.verdict.best}.`);
  });

  it('ends with the best run, not with the last', async () => {
    const value = ({ metrics }: (typeof result.runs)[number]) => metrics.balancedAccuracy.value;
    const ofBest = result.runs.filter(({ method }) => method === result.verdict.best);
    expect(ofBest.length).toBe(2);
    const mean = (method: string) =>
      result.runs.filter((run) => run.method === method).reduce((sum, run) => sum + value(run) / 2, 0);
    expect(mean(result.verdict.best)).toBe(Math.max(mean('one-hot'), mean('enhancement')));
    const best = ofBest.find((run) => value(run) === Math.max(...ofBest.map(value)));
    expect(result.verdict.run).toBe(best?.run);
    const { stdout } = await evenhand(['resume', 'splits', '--quiet', '--no-report'], { cwd });
    expect(stdout).toContain(`Next: npx evenhand report ${result.verdict.run}\n`);
  });

  it('is refused for a data set with a test set of its own, and for none', async () => {
    const [official, none] = await Promise.all([
      evenhand(['train', 'mnist', '--splits', '5', '--run', 'official'], { cwd }),
      evenhand([...TRAIN, '--splits', '0'], { cwd }),
    ]);
    expect([official.code, none.code]).toEqual([2, 2]);
    expect(official.stderr).toContain('--splits 5: mnist has a test set of its own, which all splits would share');
    expect(official.stderr).toContain('--test-share 0.2');
    expect(none.stderr).toContain('--splits is "0"; expected an integer from 1 to 100');
    expect(await readdir(cwd)).not.toContain('official');
  });

  it('1 is what there is without it, also for a run that is trained again as its advice says', async () => {
    const again = ['train', '--config', join('lost', 'config.json'), '--method', 'one-hot,ldam', '--epochs', '2'];
    const { code, stderr } = await evenhand([...again, '--splits', '1', '--run', 'one', '--quiet', '--no-report'], {
      cwd,
    });
    expect(code, stderr).toBe(0);
    expect((await readdir(join(cwd, 'one'))).sort()).toEqual(['comparison.json', 'ldam-seed-0', 'one-hot-seed-0']);
  });
});
