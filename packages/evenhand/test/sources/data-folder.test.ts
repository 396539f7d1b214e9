import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataFolder } from '../../src/sources/data-folder.js';

const home = resolve('/home/somebody');
const elsewhere = resolve('/elsewhere');

describe('dataFolder', () => {
  it('is EVENHAND_DATA where that is set', () => {
    const environment = { EVENHAND_DATA: elsewhere, XDG_CACHE_HOME: home };
    expect(dataFolder({ environment, platform: 'linux', home })).toBe(elsewhere);
    expect(dataFolder({ environment: { EVENHAND_DATA: 'here' }, platform: 'linux', home })).toBe(resolve('here'));
  });

  it.each([
    ['linux', {}, join(home, '.cache', 'evenhand')],
    ['linux', { EVENHAND_DATA: '' }, join(home, '.cache', 'evenhand')],
    ['linux', { XDG_CACHE_HOME: elsewhere }, join(elsewhere, 'evenhand')],
    ['linux', { XDG_CACHE_HOME: 'relative' }, join(home, '.cache', 'evenhand')],
    ['darwin', { XDG_CACHE_HOME: elsewhere }, join(home, 'Library', 'Caches', 'evenhand')],
    ['win32', { LOCALAPPDATA: elsewhere }, join(elsewhere, 'evenhand')],
    ['win32', {}, join(home, 'AppData', 'Local', 'evenhand')],
  ] as const)('is in the cache folder of %s with %o', (platform, environment, expected) => {
    expect(dataFolder({ environment, platform, home })).toBe(expected);
  });
});
