import { parseStrictJson } from '@evenhand/engine';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { UserError } from '../../user-error.js';
import { describeIssue, faultsOf } from '../../wording/schema-faults.js';
import type { RunSummary } from '../interface.js';
import type { RunIndex } from '../runs/run-index.js';

/** Bytes of a body that is JSON. */
const LARGEST_BODY = 1_000_000;

/** A run of the list. */
export interface ListedRun {
  readonly folder: string;
  readonly summary: RunSummary;
}

/** The run that an address names: one of the list, or none. */
export function listedRun(index: RunIndex, id: string): ListedRun {
  const [folder, summary] = [index.folderOf(id), index.summaryOf(id)];
  if (folder === undefined || summary === undefined) throw notListed('run');
  return { folder, summary };
}

/** The answer for an id of nothing that is listed. */
export function notListed(what: string): HTTPException {
  return new HTTPException(404, { message: `there is no such ${what} any more, or never was; go back to the list` });
}

/** A body that is JSON and as its schema says. */
export async function jsonBody<Content>(c: Context, schema: z.ZodType<Content>): Promise<Content> {
  const length = Number(c.req.header('content-length') ?? Number.NaN);
  if (!(length <= LARGEST_BODY))
    throw new UserError(`the request is larger than ${LARGEST_BODY} bytes, or does not say its length`);
  let json: unknown;
  try {
    json = parseStrictJson(await c.req.text());
  } catch {
    throw new UserError('the request is not JSON');
  }
  const result = schema.safeParse(json, { error: describeIssue });
  if (result.success) return result.data;
  throw new UserError(faultsOf(result.error, json).join('; '));
}
