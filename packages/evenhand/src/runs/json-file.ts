import { parseStrictJson } from '@evenhand/engine';
import type { z } from 'zod';
import { readJsonLines } from '../files/json-lines.js';
import { readTextIfThere } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';

/** What is wrong with a file, and what to do about it. */
interface Advice {
  /** Undefined where a missing file is to be taken for none. */
  readonly missing?: string;
  readonly damaged: string;
}

/**
 * Reads a JSON file by its schema.
 *
 * @returns undefined if the file is not there, and no advice says what that means
 * @throws {@link UserError} with the advice that fits
 */
export async function readJsonFile<Content>(
  file: string,
  schema: z.ZodType<Content>,
  advice: Advice & { readonly missing: string },
): Promise<Content>;
export async function readJsonFile<Content>(
  file: string,
  schema: z.ZodType<Content>,
  advice: Advice,
): Promise<Content | undefined>;
export async function readJsonFile<Content>(
  file: string,
  schema: z.ZodType<Content>,
  { missing, damaged }: Advice,
): Promise<Content | undefined> {
  const text = await readTextIfThere(file);
  if (text === undefined) {
    if (missing === undefined) return undefined;
    throw new UserError(missing);
  }
  let json: unknown;
  try {
    json = parseStrictJson(text);
  } catch {
    throw new UserError(`${file} is not JSON; the file is damaged. ${damaged}`);
  }
  const result = schema.safeParse(json, { error: describeIssue });
  if (result.success) return result.data;
  throw new UserError(
    `${file} is not what this version of evenhand writes: ${faultsOf(result.error, json)[0]}. ${damaged}`,
  );
}

/**
 * Reads a file of JSON lines by the schema of a line; a file that is not there has none.
 *
 * @throws {@link UserError} that names the line which does not fit
 */
export async function readJsonLinesFile<Line>(file: string, schema: z.ZodType<Line>): Promise<Line[]> {
  return (await readJsonLines(file)).map((line, i) => {
    const { data, error } = schema.safeParse(line);
    if (error === undefined) return data;
    throw new UserError(`${file}: line ${i + 1} is not what training writes; the file is damaged. Train again`);
  });
}
