import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './packages.mjs';

/** Licences that ask for nothing but to be named. */
const FREE = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
];

/** Others, and why they are no obstacle. */
const EXCEPTIONS = [
  {
    licence: 'LGPL-3.0-or-later',
    packages: /^@img\/sharp-/,
    why: "libvips, the library of sharp: loaded dynamically from packages of its own, which whoever installs gets from sharp's authors",
  },
];

/** Every package that installing one of ours brings along on some platform, with its licence, from the lock file. */
export function runtimeLicences() {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path, { version, license, optional }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      ...{ version, licence: license ?? licenceOf(path), optional: optional === true },
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Entries that `npm run lock` adds have no licence: it is that of the package's siblings. */
function licenceOf(path) {
  try {
    return JSON.parse(readFileSync(join(repository, path, 'package.json'), 'utf8')).license ?? null;
  } catch {
    return null;
  }
}

/** The packages whose licence nobody has thought about. */
export function unexpectedLicences(list) {
  return list.filter(({ name, licence, optional }) => {
    // Of a package for another platform that is not installed here, only its siblings can tell.
    if (licence === null) return !optional;
    const parts = licence.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /);
    return !parts.every(
      (part) => FREE.includes(part) || EXCEPTIONS.some((known) => known.licence === part && known.packages.test(name)),
    );
  });
}
