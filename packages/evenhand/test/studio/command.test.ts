import { describe, expect, it } from 'vitest';
import { evenhand, type RunningCommand, start } from '../cli/evenhand.js';
import { eventually, rawRequest, testFolder, tokenOf } from './studio.js';

const SLOW = 90_000;

/** What a command printed once it had printed an address. */
async function printed(command: RunningCommand): Promise<string> {
  return eventually(
    () => command.stdout,
    (text) => text.includes('token='),
  );
}

describe('evenhand studio', () => {
  it('prints an address that opens it, and ends with Ctrl-C', { timeout: SLOW }, async () => {
    const command = start(['studio', '--no-open'], { cwd: await testFolder() });
    const text = await printed(command);
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(text)?.[0] ?? '';
    const { status } = await rawRequest(Number(new URL(address).port), `/?token=${tokenOf(address)}`);
    expect(status).toBe(303);
    command.kill('SIGINT');
    const { code, stderr } = await command.ended();
    expect(code).toBe(0);
    expect(stderr).toContain('To open it in another browser: http://127.0.0.1:');
    expect(stderr).not.toContain('other computers');
  });

  it('says what it means to let other computers in', { timeout: SLOW }, async () => {
    const command = start(['studio', '--no-open', '--host', '0.0.0.0'], { cwd: await testFolder() });
    await printed(command);
    command.kill('SIGTERM');
    expect((await command.ended()).stderr).toContain('other computers can reach it at 0.0.0.0, without encryption');
  });

  it.each([
    [['--port', '70000'], '--port is "70000"; expected an integer from 1 to 65535'],
    [['--host', '203.0.113.7'], '--host 203.0.113.7 is not an address of this computer'],
  ])('%j is refused', { timeout: SLOW }, async (words, message) => {
    const { code, stderr } = await evenhand(['studio', '--no-open', ...words], { cwd: await testFolder() });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
