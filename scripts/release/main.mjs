// npm run release -- --dry-run: packs the packages and checks all that a release needs; changes nothing.
// npm run release: the same, and writes the version into CHANGELOG.md. Publishing is the business of .github/workflows/release.yml.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { releasedChangelog } from './changelog.mjs';
import { runtimeLicences, unexpectedLicences } from './licences.mjs';
import { faultsOf, LARGEST_TARBALLS, pack, publishedPackages, repository } from './packages.mjs';

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    // For the tests, which go on with the tarballs and what is known of them.
    into: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const packages = publishedPackages();
const [version, ...others] = new Set(packages.map((manifest) => manifest.version));
const faults = others.length === 0 ? [] : [`packages have different versions: ${[version, ...others].join(', ')}`];
for (const { name, dependencies = {} } of packages) {
  for (const [dependency, range] of Object.entries(dependencies)) {
    const own = packages.find((other) => other.name === dependency);
    if (own !== undefined && ![own.version, `^${own.version}`].includes(range))
      faults.push(`${name} needs ${dependency} ${range}, not ${own.version}`);
  }
}

const folder = values.into ?? mkdtempSync(join(tmpdir(), 'evenhand-release-'));
const tarballs = await pack(
  packages.map(({ name }) => name),
  folder,
);
const found = [];
for (const tarball of tarballs) found.push({ ...tarball, faults: await faultsOf(tarball, folder) });
if (values.into === undefined) rmSync(folder, { recursive: true, force: true });
for (const tarball of found) faults.push(...tarball.faults);

const licences = runtimeLicences();
for (const { name, licence } of unexpectedLicences(licences)) faults.push(`${name} has the licence ${licence}`);

const released = releasedChangelog(version, new Date().toISOString().slice(0, 10));

if (values.json) {
  console.log(JSON.stringify({ version, tarballs: found, licences, section: released.section, faults }));
} else {
  console.log(`Evenhand ${version}\n\nPackages, packed and unpacked in kB, and files:`);
  for (const { name, size, unpackedSize, files } of found) {
    const bytes = [size, LARGEST_TARBALLS[name] ?? 0, unpackedSize].map((count) => String(Math.round(count / 1000)));
    const [packed, limit, unpacked] = bytes.map((count) => count.padStart(6));
    console.log(
      `  ${name.padEnd(22)}${packed} of at most ${limit}${unpacked}${String(files.length).padStart(6)} files`,
    );
  }
  console.log(`\nLicences of the ${licences.length} packages that come along at run time, for all platforms:`);
  const names = new Set(licences.map(({ licence }) => licence ?? 'of another platform, as its siblings'));
  for (const name of [...names].sort()) {
    const own = licences.filter(({ licence }) => (licence ?? 'of another platform, as its siblings') === name);
    console.log(`  ${name}: ${own.map((one) => `${one.name} ${one.version}`).join(', ')}`);
  }
  console.log(`\nChangelog of ${version}:\n\n${released.section}\n`);
}

if (faults.length > 0) {
  console.error(`Not ready to be released:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  process.exitCode = 1;
} else if (!values['dry-run'] && !values.json) {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: repository, encoding: 'utf8' });
  if (changes !== '') throw new Error('There are changes that are not committed: commit them first.');
  writeFileSync(join(repository, 'CHANGELOG.md'), released.changelog);
  console.log(
    `CHANGELOG.md is written. Now: git commit -am "Release ${version}" && git tag v${version} && git push --tags`,
  );
} else if (!values.json) {
  console.log('Ready to be released.');
}
