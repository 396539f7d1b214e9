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
    for (const data of ['table.jsonl.gz', '- < table.csv.gz']) {
      expect(probabilitiesOf(output(`evenhand predict run ${data} --json`))).toEqual(expected);
    }
    expect(probabilitiesOf(output('cat table.jsonl | evenhand predict run - --json'))).toEqual(expected);
  });

  it('evaluate and check', () => {
    const results = (text: string) => text.replaceAll(/table\.csv|standard input/g, 'DATA').split(/\n\nFlags/)[0];
    expect(results(output('evenhand evaluate run - < table.jsonl.gz'))).toContain('on DATA');
    expect(JSON.parse(output('evenhand evaluate run - --json < table.jsonl')).metrics).toEqual(
      JSON.parse(output('evenhand evaluate run table.csv --json')).metrics,
    );
    const checked = output('evenhand check - --target class < table.csv.gz');
    expect(results(checked)).toBe(results(output('evenhand check table.csv --target class')));
    expect(checked).toContain('Next: npx evenhand train - --target class');
    expect(output('cat table.jsonl | evenhand check -')).toContain('standard input: 180 rows, 5 columns');
  });

  it('train keeps it beside the run, which is the run of a file of the same content and goes on', async () => {
    const { stderr } = shell(
      `cat table.csv | evenhand train - --target class --run piped/run ${FLAGS.replace("'--quiet'", '')}`,
      cwd,
    );
    const kept = (await readdir(join(cwd, 'piped'))).filter((name) => name !== 'run');
    expect(kept).toEqual([expect.stringMatching(/^stdin-[0-9a-f]{12}\.csv$/)]);
    expect(stderr).toContain(`note: the standard input is kept as piped/${kept[0]}, which the run needs to go on.`);
    const model = (run: string) => readFile(join(cwd, run, 'evaluation.json'), 'utf8');
    expect(await model('piped/run')).toBe(await model('run'));
    await readFile(join(cwd, 'piped', kept[0] ?? ''), 'utf8').then(async (text) =>
      expect(text).toBe(await readFile(join(cwd, 'table.csv'), 'utf8')),
    );
    expect(shell('evenhand resume piped/run --quiet --no-report < /dev/null', cwd)).toMatchObject({ code: 0 });
  });

  it('train of several runs, and sweep', async () => {
    output(`evenhand train - --target class --seeds 2 --run several/runs ${FLAGS} < table.jsonl`);
    expect(await readdir(join(cwd, 'several'))).toEqual(['runs', expect.stringMatching(/^stdin-\w+\.jsonl$/)]);
    const flags = "--epochs 1 --draws 1 --set 'model.hidden=[8]' --search batchSize=32,64 --no-pruning --quiet";
    output(`evenhand sweep - --target class ${flags} --folder swept/sweep < table.csv.gz`);
    expect(await readdir(join(cwd, 'swept'))).toEqual([expect.stringMatching(/^stdin-\w+\.txt\.gz$/), 'sweep']);
  });

  it('train leaves nothing behind of what it refuses', async () => {
    const { code, stderr } = shell(`evenhand train - --target clas --run refused/run ${FLAGS} < table.csv`, cwd);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no column "clas" (did you mean "class"?)')]);
    expect(await readdir(cwd)).not.toContain('refused');
  });

  it.each([
    [
      'evenhand check - < /dev/null',
      '"-" stands for the standard input, which is a device here; expected a table from a pipe',
    ],
    ['evenhand check - < /dev/zero', 'which is a device here'],
    ['evenhand predict run - < .', 'which is a folder here'],
    ['true | evenhand predict run -', 'standard input is empty. A header row and rows below it are expected.'],
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

describe.skipIf(process.platform === 'win32')('predict', () => {
  it('writes JSON lines for JSON lines, each as it was with the answers behind it', () => {
    const row = '{ "y": 1.50, "x":0, "tags": ["a", {"b": null}], "colour": "red", "member": "yes", "10": 1e2 }';
    const [line = ''] = output(`echo '${row}' | evenhand predict run -`).split('\n');
    expect(line).toMatch(
      /^\{ "y": 1\.50, "x":0, "tags": \["a", \{"b": null\}\], .* "10": 1e2 ,"predicted":"[^"]+","probability of =cmd":0\.\d+,/,
    );
    expect(Object.keys(JSON.parse(line))).toHaveLength(10);
    expect(output(`echo '${row}' | evenhand predict run - --out rows.csv && cat rows.csv`)).toContain(
      'y,x,tags,colour,member,predicted,',
    );
  });

  it('writes JSON lines for --out x.jsonl, with numbers where a column has nothing else', () => {
    const csv = 'x,y,colour,member,zip,note\\n1.50,,red,yes,007,"a ""b"""\\n-2,3,blue,no,123,=1\\n';
    const text = output(
      `printf '${csv}' | evenhand predict run - --out rows.jsonl --quiet > /dev/null; cat rows.jsonl`,
    );
    const [first, second] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(text).toMatch(
      /^\{"x":1\.50,"y":null,"colour":"red","member":"yes","zip":"007","note":"a \\"b\\"","predicted":/,
    );
    expect(second).toMatchObject({ x: -2, y: 3, zip: '123', note: '=1' });
    expect(
      first['probability of =cmd'] + first['probability of __proto__'] + first['probability of plain'],
    ).toBeCloseTo(1);
  });

  it('gives its columns names that the data does not have, and says so', () => {
    const predict = (data: string, out: string) => shell(`evenhand predict run ${data} --out ${out}`, cwd);
    predict('table.csv', 'once.csv');
    const again = predict('once.csv', 'twice.csv');
    expect(again.stderr).toContain(
      'note: The data has a column "predicted" of its own: the answers are in the column "predicted 2", and the names of the probabilities end in " 2".',
    );
    predict('twice.csv', 'thrice.csv');
    const header = output('head -1 thrice.csv').trimEnd().split(',');
    expect(new Set(header).size).toBe(header.length);
    expect(header.slice(-4)).toEqual([
      'predicted 3',
      'probability of =cmd 3',
      'probability of __proto__ 3',
      'probability of plain 3',
    ]);
    const one = output(
      `printf 'x,y,colour,member,probability of plain\\n1,2,red,yes,z\\n' | evenhand predict run - 2>&1`,
    );
    expect(one).toContain('The data has a column "probability of plain" of its own');
    expect(one).toContain('x,y,colour,member,probability of plain,predicted 2,');
  });
});
