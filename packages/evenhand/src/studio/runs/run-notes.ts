import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../files/atomic-file.js';
import { readJsonFile } from '../../runs/json-file.js';
import type { RunNotes } from '../interface.js';

const LONGEST_TAG = 60;
const LONGEST_NOTE = 10_000;
const MOST_TAGS = 50;

/** Checks what a person wrote about a run. */
export const notesSchema = z.strictObject({
  tags: z.array(z.string().trim().min(1).max(LONGEST_TAG)).max(MOST_TAGS),
  note: z.string().max(LONGEST_NOTE),
});

const NONE: RunNotes = { tags: [], note: '' };

/** Beside the run, not in it: training alone writes there, and its bytes are those of the configuration. */
export function notesFile(folder: string): string {
  return join(dirname(folder), `${basename(folder)}.notes.json`);
}

/** What was written about a run; nothing if the file is not there. */
export async function readNotes(folder: string): Promise<RunNotes> {
  return (await readJsonFile(notesFile(folder), notesSchema, { damaged: 'Mend or remove it' })) ?? NONE;
}

/** Writes about a run. */
export function writeNotes(folder: string, { tags, note }: RunNotes): Promise<void> {
  const content: RunNotes = { tags: [...new Set(tags)], note };
  return writeAtomically(notesFile(folder), `${JSON.stringify(content, null, 2)}\n`);
}
