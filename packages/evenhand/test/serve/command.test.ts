import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { evenhand, start } from '../cli/evenhand.js';
import { modelFiles, tableModel } from './models.js';

const file = modelFiles({ 'table.onnx': tableModel });
const cwd = tmpdir();

describe('evenhand serve', () => {
  it('says where it serves what, and that everybody on the network reaches it, if that is so', async () => {
    const args = ['serve', file('table.onnx'), '--port', '0', '--host', '0.0.0.0'];
    const command = start(args, { cwd, env: { EVENHAND_TOKEN: 'of the environment' } });
    const said = await command.says('/model');
    expect(said).toMatch(
      /^Serving \S+table\.onnx \(4 columns, 3 classes, version [0-9a-f]{12}\) at http:\/\/0\.0\.0\.0:\d+\n/,
    );
    const [, port] = /:(\d+)\n/.exec(said) ?? [];
    const statusWith = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`http://127.0.0.1:${port}/model`, { headers })).status;
    };
    expect([await statusWith('of the environment'), await statusWith('another')]).toEqual([200, 401]);
    command.kill('SIGINT');
    const { code, stderr } = await command.ended();
    expect(stderr).toContain('note: everybody on the network can reach this server.');
    expect(code).toBe(0);
  });

  it.each([
    [['--port', 'http'], '--port is "http"; expected an integer from 0 to 65535'],
    [['--queue', '0'], '--queue is "0"; expected an integer from 1 on'],
    [['--body-limit', '100000'], '--body-limit is "100000"; expected an integer from 1 to 500'],
    [['--token', ''], 'the token is empty; give one that is hard to guess, or none'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await evenhand(['serve', file('table.onnx'), '--port', '0', ...flags], { cwd });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('refuses a folder that is no run', async () => {
    const { code, stderr } = await evenhand(['serve', cwd], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(cwd)]);
  });
});
