import { appendFile, lstat, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/prediction/predictor.js';
import { evenhand, evenhandJson, MAIN, type RunningCommand, shell, start } from '../cli/evenhand.js';
import { temporaryFolder } from '../runs/examples.js';
import { twoClasses } from './streams.js';

const ndjson = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Rows with ids; of every fifth the label comes three rows later. */
function lateRows(count: number, seed: number): object[] {
  const rows = twoClasses({ rows: count, seed, share: 0.2 }).map((row, id) => ({ id, ...row }));
  return rows.flatMap((row, i) => {
    const { class: own, ...unlabelled } = row;
    const earlier = rows[i - 3];
    const late = earlier === undefined || earlier.id % 5 !== 0 ? [] : [{ id: earlier.id, class: earlier.class }];
    return [i % 5 === 0 ? unlabelled : { ...unlabelled, class: own }, ...late];
  });
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => ({ size: 0 }))).size;
}

/** Waits until a file has grown; false if the command ended before. */
async function grows(path: string, size: number, command: RunningCommand): Promise<boolean> {
  let isOver = false;
  void command.ended().then(() => {
    isOver = true;
  });
  while ((await sizeOf(path)) < size) {
    if (isOver) return (await sizeOf(path)) >= size;
    await sleep(2);
  }
  return true;
}

/** By default a few; `EVENHAND_KILLS=20` for a longer look. */
const KILLS = Math.min(Number(process.env.EVENHAND_KILLS ?? 3), 100);

describe('evenhand stream', () => {
  it(`fault 50: killed at ${KILLS} random moments, state, log and answers come to the same bytes`, {
    timeout: 120_000 + KILLS * 30_000,
  }, async () => {
    const folder = await temporaryFolder();
    const lines = ndjson(lateRows(1500 * (KILLS + 1), 1)).split('\n');
    lines.splice(700, 0, '{"id": 5, "x": 1', 'no row at all');
    await writeFile(join(folder, 'rows.ndjson'), lines.join('\n'));
    const args = (name: string) => [
      ...['stream', 'rows.ndjson', '--target', 'class', '--id', 'id', '--folder', name, '--out', `${name}.ndjson`],
      ...['--checkpoint-every', '150', '--log-every', '100', '--label-window', '50', '--quiet'],
    ];
    const whole = await evenhand(args('whole'), { cwd: folder });
    expect([whole.code, whole.stderr]).toEqual([0, '']);
    const length = await sizeOf(join(folder, 'whole.ndjson'));

    const random = seededRandom(3, 'kills');
    const answers = join(folder, 'killed.ndjson');
    let kills = 0;
    for (let i = 0; i < KILLS; i++) {
      const command = start(args('killed'), { cwd: folder });
      // Somewhere in the part of the stream that is this process's turn.
      const target = Math.floor((length * (i + 0.2 + 0.6 * random())) / (KILLS + 1));
      const isThere = await grows(answers, target, command);
      const signal = i === 1 ? 'SIGTERM' : 'SIGKILL';
      command.kill(signal);
      const { code } = await command.ended();
      if (isThere && code !== 0) kills++;
      if (signal === 'SIGTERM' && code !== 0) expect(code).toBe(143);
    }
    expect(kills).toBeGreaterThan(0); // else nothing was tested
    expect((await evenhand(args('killed'), { cwd: folder })).code).toBe(0);
    for (const file of ['NAME/stream.safetensors', 'NAME/log.jsonl', 'NAME.ndjson']) {
      const [expected, found] = await Promise.all(
        ['whole', 'killed'].map((name) => readFile(join(folder, file.replace('NAME', name)))),
      );
      expect([file, expected?.equals(found ?? Buffer.alloc(0))]).toEqual([file, true]);
    }
    const log = await readFile(join(folder, 'whole/log.jsonl'), 'utf8');
    expect(log).toContain('{"kind":"damaged","after":700,"name":"line 701","damage":"it is not valid JSON"}');
    expect(log).toContain('{"kind":"class","row":');
  });

  it('fault 50: a line that is still being written is not read before its end is there', async () => {
    const folder = await temporaryFolder();
    const [rows, answers] = [join(folder, 'rows.csv'), join(folder, 'answers.ndjson')];
    await writeFile(rows, 'x;y;class\n1;2,5;a\n3;4;b\n5;6');
    const command = start(
      [
        'stream',
        rows,
        '--follow',
        '--target',
        'class',
        '--folder',
        's',
        '--sample',
        '2',
        '--batch',
        '1',
        '--out',
        answers,
      ],
      { cwd: folder },
    );
    const answered = async (count: number) => {
      for (;;) {
        const lines = (await readFile(answers, 'utf8').catch(() => '')).split('\n').length - 1;
        if (lines >= count) return lines;
        await sleep(5);
      }
    };
    expect(await answered(2)).toBe(2);
    await appendFile(rows, '0;\n7;8;b');
    expect(await answered(3)).toBe(3);
    await appendFile(rows, '\n1;2\n');
    expect(await answered(4)).toBe(4);
    await command.said('line 6 was left out: it does not have 3 cells');
    command.kill('SIGTERM');
    const { code, stderr } = await command.ended();
    expect(code).toBe(143);
    expect(stderr).toContain('stopped at a checkpoint; to continue: npx evenhand stream');
    const last = (await readFile(answers, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(last.map(({ row }) => row)).toEqual([0, 1, 2, 3]);
    expect(last.map(({ predicted }) => predicted)[0]).toBeNull();
    expect(last[3].probabilities).toEqual({ a: expect.any(Number), b: expect.any(Number) });
  }, 240_000);

  it('learns from stdin: what goes on is taken as new, what begins anew is passed over', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'rows.ndjson'), ndjson(twoClasses({ rows: 300, seed: 4, share: 0.3 })));
    const options = '--target class --quiet --batch 8 --out -';
    const pieces = shell(
      `head -n 120 rows.ndjson | evenhand stream - --folder pieces ${options} > pieces.ndjson
       evenhand stream - --replayed --folder pieces ${options} < rows.ndjson >> pieces.ndjson`,
      folder,
    );
    expect(pieces.stderr).toBe('');
    const parts = shell(
      `head -n 120 rows.ndjson | evenhand stream - --folder parts ${options} > parts.ndjson
       tail -n +121 rows.ndjson | evenhand stream - --folder parts ${options} >> parts.ndjson`,
      folder,
    );
    expect(parts.stderr).toBe('');
    const whole = shell(`evenhand stream - --folder whole ${options} < rows.ndjson > whole.ndjson`, folder);
    expect(whole.code).toBe(0);
    const answers = await readFile(join(folder, 'whole.ndjson'), 'utf8');
    expect(answers.split('\n')).toHaveLength(301);
    expect(await readFile(join(folder, 'pieces.ndjson'), 'utf8')).toBe(answers);
    expect(await readFile(join(folder, 'parts.ndjson'), 'utf8')).toBe(answers);
  }, 240_000);

  it('tells metrics as JSON, and exports a model that predicts', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'rows.ndjson'), ndjson(twoClasses({ rows: 400, seed: 5, share: 0.3 })));
    const args = ['stream', 'rows.ndjson', '--target', 'class', '--folder', 's', '--export', 'model.onnx'];
    const result = await evenhandJson(args, { cwd: folder });
    expect(result).toMatchObject({
      records: 400,
      damaged: 0,
      metrics: { rows: 400, labelled: 400, changes: 0 },
    });
    const model = await openModel(join(folder, 'model.onnx'));
    const { labels } = await model.predictRows([
      { x: -1, y: 0 },
      { x: 2.5, y: 0 },
    ]);
    expect(labels).toEqual(['common', 'rare']);
    await model.close();
    const log = (await readFile(join(folder, 's/log.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(log.map(({ kind }) => kind)).toEqual(['class', 'class']);
  }, 240_000);

  it('shows one line that changes on a terminal, cut to its width, and plain lines elsewhere', async (context) => {
    const noTerminal =
      process.platform === 'linux' && shell('command -v script', '/').code === 0
        ? undefined
        : 'no script of util-linux';
    context.skip(noTerminal !== undefined, noTerminal);
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'rows.ndjson'), ndjson(twoClasses({ rows: 3000, seed: 5, share: 0.3 })));
    const args = 'rows.ndjson --target class --out /dev/null';
    const terminal = shell(
      `script -qec "stty cols 60; '${process.execPath}' '${MAIN}' stream ${args} --batch 2 --folder on-terminal" /dev/null < /dev/null`,
      folder,
    );
    expect(terminal.code).toBe(0);
    const shown = terminal.stdout.split('\r\u001b[2K').map((line) => line.trim());
    const last = /^3,000 rows · 2 classes · balanced accuracy [\d.]+ % · G-mean [\d.]+ %/;
    expect(shown.at(-1)).toMatch(last);
    const live = shown.slice(0, -1).filter((line) => line !== '');
    expect(live.length).toBeGreaterThan(0);
    for (const line of live) {
      expect(line).toMatch(/^[\d,]+ rows · ([\d,]+ rows\/s · )?2 classes · balanced accuracy/);
      expect(line.length).toBeLessThan(60);
    }
    const { stderr } = shell(`evenhand stream ${args} --folder elsewhere > /dev/null`, folder);
    expect(stderr).toMatch(last);
    expect(stderr).not.toContain('\u001b');
  }, 240_000);

  it('writes the target of a link and into a device, and replaces neither', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'rows.ndjson'), ndjson(twoClasses({ rows: 200, seed: 5, share: 0.3 })));
    await symlink(join(folder, 'model.onnx'), join(folder, 'link.onnx'));
    const args = [
      'stream',
      'rows.ndjson',
      '--target',
      'class',
      '--folder',
      's',
      '--export',
      'link.onnx',
      '--out',
      '/dev/null',
    ];
    expect((await evenhand(args, { cwd: folder })).code).toBe(0);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
    expect((await lstat(join(folder, 'link.onnx'))).isSymbolicLink()).toBe(true);
    expect(await sizeOf(join(folder, 'model.onnx'))).toBeGreaterThan(1000);
  }, 240_000);

  it('refuses what it cannot use, and leaves everything as it was', async () => {
    const folder = await temporaryFolder();
    const at = (name: string) => join(folder, name);
    await writeFile(at('rows.ndjson'), ndjson(twoClasses({ rows: 200, seed: 6 })));
    await writeFile(at('empty'), '');
    await writeFile(at('mine.txt'), 'mine');
    const run = async (...args: string[]) => evenhand(['stream', ...args], { cwd: folder });
    const refused = async (message: string, ...args: string[]) => {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    };
    const target = ['--target', 'class', '--folder', 's'];
    await refused("required option '--folder <folder>' not specified", 'rows.ndjson', '--target', 'class');
    await refused('--target is missing', 'rows.ndjson', '--folder', 's');
    await refused('did you mean "class"?', 'rows.ndjson', '--target', 'clas', '--folder', 's');
    await refused('batch is "many"; expected a number', 'rows.ndjson', ...target, '--batch', 'many');
    await refused('empty has no row to learn from (it is empty)', 'empty', ...target);
    await refused('there is no such file', 'nowhere.csv', ...target);
    await refused('mine.txt is there already', 'rows.ndjson', ...target, '--out', 'mine.txt');
    await refused('--follow is not for stdin, which is waited for anyway', '-', ...target, '--follow');
    expect(await readFile(at('mine.txt'), 'utf8')).toBe('mine');

    expect((await run('rows.ndjson', ...target, '--quiet')).code).toBe(0);
    const state = await readFile(at('s/stream.safetensors'));
    await refused('batch is 7, and was 32', 'rows.ndjson', ...target, '--batch', '7');
    await truncate(at('rows.ndjson'), 10);
    await refused('it was cut off or written anew', 'rows.ndjson', ...target);
    expect((await readFile(at('s/stream.safetensors'))).equals(state)).toBe(true);
    await writeFile(at('s/stream.safetensors'), state.subarray(0, 500));
    await refused('the state of the stream cannot be read', 'rows.ndjson', ...target);
  }, 240_000);
});
