import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './packages.mjs';

const HEADING = '## [Unreleased]';

/** What is written under *Unreleased*, and the changelog in which it stands under a version instead. */
export function releasedChangelog(version, date) {
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
  const [before, after, ...others] = changelog.split(`${HEADING}\n`);
  if (after === undefined || others.length > 0) throw new Error(`CHANGELOG.md: expected the line "${HEADING}" once`);
  const section = after.split(/^## /m)[0].trim();
  if (section === '') throw new Error('CHANGELOG.md has nothing under Unreleased: say what is new');
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has a section for ${version} already`);
  return { section, changelog: `${before}${HEADING}\n\n## [${version}] - ${date}\n${after}` };
}
