import { readFile } from 'node:fs/promises';
import { UserError } from 'evenhand';
import { writeAtomically } from 'evenhand/files';

/** A part of a document that a command writes; what is around it is written by people. */
export interface WrittenBlock {
  readonly name: string;
  /** The command, and what it is written from. */
  readonly writtenBy: string;
}

/** The block's text, in the document of a file. */
export async function writeBlock(file: string, block: WrittenBlock, text: string): Promise<void> {
  const document = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`${file}, of which "${block.name}" is a part, cannot be read; name another by --page`, {
      cause: error,
    });
  });
  try {
    await writeAtomically(file, withBlock(document, block, text));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError(`${file}: ${error.message}`, { cause: error });
  }
}

/**
 * The document with another text between the markers of a block.
 *
 * @throws RangeError if the markers are not there once each, in their order
 */
export function withBlock(document: string, block: WrittenBlock, text: string): string {
  const { begin, end } = markersOf(block);
  const [before, inside, ...more] = document.split(begin);
  const [, after, ...others] = inside?.split(end) ?? [];
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new RangeError(`expected the lines "${begin}" and, after it, "${end}", once each`);
  }
  return `${before}${begin}\n\n${text.trim()}\n\n${end}${after}`;
}

function markersOf({ name, writtenBy }: WrittenBlock): { readonly begin: string; readonly end: string } {
  return {
    begin: `<!-- ${name}: written by ${writtenBy}. Change those, not this. -->`,
    end: `<!-- end of ${name} -->`,
  };
}
