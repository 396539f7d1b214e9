import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTable } from '../training/problem.js';
import { evenhand, SMALL, shell } from './evenhand.js';

const FLAGS = SMALL.map((word) => `'${word}'`).join(' ');

let cwd = '';

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-stdin-'));
  const text = await readFile(await writeTable(cwd), 'utf8');
  const [header = '', ...rows] = text.trimEnd().split('\n');
  const names = header.split(',');
  const objects = rows.map((row) => {
    const cells = row.split(',').map((cell) => (cell === '' ? null : Number.isNaN(Number(cell)) ? cell : Number(cell)));
    return `${JSON.stringify(Object.fromEntries(names.map((name, i) => [name, cells[i] ?? null])))}\n`;
  });
  await writeFile(join(cwd, 'table.jsonl'), objects.join(''));
  await writeFile(join(cwd, 'table.csv.gz'), gzipSync(text));
  await writeFile(join(cwd, 'table.jsonl.gz'), gzipSync(objects.join('')));
  const train = ['train', 'table.csv', '--target', 'class', '--run', 'run', ...SMALL];
  expect(await evenhand(train, { cwd })).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await rm(cwd, { recursive: true, force: true });
});

/** What a script prints, which must succeed. */
function output(script: string): string {
  const { code, stdout, stderr } = shell(script, cwd);
  if (code !== 0) throw new Error(`${script} exited with ${code}: ${stderr}`);
  return stdout;
}

const probabilitiesOf = (json: string) =>
  JSON.parse(json).predictions.map(({ probabilities }: { probabilities: unknown }) => probabilities);

describe.skipIf(process.platform === 'win32')('every command that takes a table', () => {
  it('predict: answers alike whatever way the table comes', () => {
    const expected = probabilitiesOf(output('evenhand predict run table.csv --json'));
    expect(expected).toHaveLength(180);
    expect(probabilitiesOf(output('evenhand predict run table.jsonl.gz --json'))).toEqual(expected);
    expect(probabilitiesOf(output('cat table.csv.gz | evenhand predict run - --json'))).toEqual(expected);
  });

  it('evaluate and check', () => {
    const evaluated = output('evenhand evaluate run - < table.jsonl');
    expect(evaluated).toContain('on standard input');
    const resultsOf = (text: string) => text.replace(/on (table\.csv|standard input) +/, 'on DATA ');
    expect(resultsOf(evaluated)).toBe(resultsOf(output('evenhand evaluate run table.csv')));
    const checked = output('evenhand check - --target class < table.csv.gz');
    expect(checked).toContain('standard input: 180 rows, 3 classes');
    expect(checked).toContain('Next: npx evenhand train - --target class');
    expect(output('cat table.jsonl | evenhand check -')).toContain('standard input: 180 rows, 5 columns');
  });

  it('train keeps it beside the runs, which are those of a file of the same content and go on', async () => {
    const { stderr } = shell(
      `cat table.csv | evenhand train - --target class --seeds 2 --run piped/runs ${FLAGS}`,
      cwd,
    );
    const [, kept = ''] = await readdir(join(cwd, 'piped'));
    expect(kept).toMatch(/^stdin-[0-9a-f]{12}\.csv$/);
    expect(stderr).toBe('');
    const textOf = (path: string) => readFile(join(cwd, path), 'utf8');
    expect(await textOf(`piped/${kept}`)).toBe(await textOf('table.csv'));
    expect(await textOf('piped/runs/enhancement-seed-0/evaluation.json')).toBe(await textOf('run/evaluation.json'));
    const resumed = shell('evenhand resume piped/runs/enhancement-seed-1 --quiet --no-report < /dev/null', cwd);
    expect(resumed).toMatchObject({ code: 0 });
  });

  it('sweep keeps it beside its folder, and says so', async () => {
    const flags = "--epochs 1 --draws 1 --set 'model.hidden=[8]' --search batchSize=64,128 --no-pruning";
    const { stderr } = shell(`evenhand sweep - --target class ${flags} --folder swept/sweep < table.csv.gz`, cwd);
    const [kept = '', folder] = await readdir(join(cwd, 'swept'));
    expect([kept, folder]).toEqual([expect.stringMatching(/^stdin-\w+\.txt\.gz$/), 'sweep']);
    expect(stderr).toContain(`note: the standard input is kept as swept/${kept}, from which the run can be resumed.`);
  });

  it('train leaves nothing behind of what it refuses', async () => {
    const { code, stderr } = shell(`evenhand train - --target clas --run refused/run ${FLAGS} < table.csv`, cwd);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no column "clas" (did you mean "class"?)')]);
    expect(await readdir(cwd)).not.toContain('refused');
  });

  it.each([
    [
      'evenhand check - < /dev/zero',
      '"-" stands for the standard input, which is a device here; expected a table from a pipe',
    ],
    ['evenhand predict run - < .', 'which is a folder here'],
    ['printf "{\\"x\\": 1}\\n{\\"x\\"" | evenhand predict run -', 'standard input, line 2 is not valid JSON'],
    [
      'head -c 1000 table.csv.gz | evenhand evaluate run -',
      'standard input is packed by gzip and cannot be unpacked: it is cut off',
    ],
    ['evenhand train - --target class < /dev/null', 'which is a device here'],
  ])('fault 37: refuses what is no table: %s', (script, message) => {
    const { code, stderr } = shell(script, cwd);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('internal');
    expect(code).toBe(2);
  });
});

it('predict: answers have names that the data does not have, and a note says so', async () => {
  await writeFile(join(cwd, 'again.csv'), 'x,y,colour,member,predicted\n1,2,red,yes,z\n');
  const { code, stdout, stderr } = await evenhand(['predict', 'run', 'again.csv'], { cwd });
  expect(stderr).toContain(
    'note: The data has a column "predicted" of its own: the answers are in the column "predicted 2", and the names of the probabilities end in " 2".',
  );
  expect(stdout).toMatch(/^x,y,colour,member,predicted,predicted 2,probability of =cmd 2,/);
  expect(code).toBe(0);
});

it('predict: JSON lines are answered as JSON lines, each as it was with the answers behind it', async () => {
  const row = '{ "y": 1.50, "x":0, "tags": ["a", {"b": null}], "colour": "red", "member": "yes", "10": 1e2 }';
  await writeFile(join(cwd, 'row.jsonl'), row);
  const { stdout } = await evenhand(['predict', 'run', 'row.jsonl'], { cwd });
  expect(stdout.startsWith(`${row.slice(0, -1)},"predicted":"`)).toBe(true);
  expect(Object.keys(JSON.parse(stdout))).toHaveLength(10);
});
