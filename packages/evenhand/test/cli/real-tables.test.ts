import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { THOROUGH } from '../../../../test/thorough.js';
import { evenhand, SMALL } from './evenhand.js';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-tables-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe.each(THOROUGH ? ['mammography', 'yeast'] : ['yeast'])('%s.csv', (name) => {
  it('goes through every command', async (context) => {
    const file = join(process.env.EVENHAND_DATA ?? '', `tabular/${name}.csv`);
    if (!existsSync(file)) return context.skip(`EVENHAND_DATA is not set to a folder with tabular/${name}.csv`);
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await evenhand(args, { cwd });
      expect(code, `evenhand ${args.join(' ')}: ${stderr}`).toBe(0);
      return stdout;
    };
    await run('check', file, '--target', 'class');
    await run('train', file, '--target', 'class', '--method', 'one-hot,enhancement', '--run', name, ...SMALL);
    const runs = ['one-hot', 'enhancement'].map((method) => `${name}/${method}-seed-0`);
    expect(await run('compare', ...runs)).toContain('enhancement against one-hot');
    const [, enhanced = ''] = runs;
    expect(await run('evaluate', enhanced, file)).toMatch(/balanced accuracy +\d/);
    await run('predict', enhanced, file, '--out', `${name}.csv`);
    const rows = async (path: string) => (await readFile(path, 'utf8')).trim().split('\n').length;
    expect(await rows(join(cwd, `${name}.csv`))).toBe(await rows(file));
    await run('report', enhanced);
    expect(await readFile(join(cwd, enhanced, 'report.html'), 'utf8')).toContain(name);
  }, 120_000);
});
