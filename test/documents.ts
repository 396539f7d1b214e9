import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CodeBlock, codeBlocks } from './code-blocks.js';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** A document that is written for users, by its path in the repository. */
interface UserDocument {
  readonly path: string;
  readonly text: string;
}

/** Every document for users: READMEs and the pages of the site, but not what the site's build writes. */
export function userDocuments(): UserDocument[] {
  const pages = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));
  const packages = readdirSync(join(repository, 'packages')).map((name) => `packages/${name}/README.md`);
  return ['README.md', 'CONTRIBUTING.md', ...pages.map((name) => `docs/${name}`), ...packages].flatMap((path) => {
    try {
      return [{ path, text: readFileSync(join(repository, path), 'utf8') }];
    } catch {
      // Another branch may have left the folder of a package behind.
      return [];
    }
  });
}

/** A block of a document; `name` says where it is. */
export interface DocumentBlock extends CodeBlock {
  readonly name: string;
  readonly path: string;
}

/** The blocks of all documents for users. */
export function documentBlocks(): DocumentBlock[] {
  return userDocuments().flatMap(({ path, text }) =>
    codeBlocks(text).map((block) => ({ ...block, path, name: `${path}:${block.line}` })),
  );
}
