import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);
const locked = Object.values(lock.packages);

test('the lock file names no registry: whoever installs has one of their own', () => {
  expect(locked.filter(({ link }) => !link).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
});

test('the lock file holds the binaries of every platform; if not, run `npm run lock`', () => {
  const optional = locked.flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}));
  expect(optional.filter((name) => !(`node_modules/${name}` in lock.packages))).toEqual([]);
});
