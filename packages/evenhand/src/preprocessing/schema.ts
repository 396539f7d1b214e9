import { z } from 'zod';
import type { FeatureRule, Preprocessing } from './preprocessing.js';

const text = z.string();
const size = z.int().positive();

const columnType = z.discriminatedUnion('kind', [
  z.strictObject({ name: text, kind: z.literal('numeric') }),
  z.strictObject({ name: text, kind: z.literal('boolean'), texts: z.tuple([text, text]) }),
  z.strictObject({ name: text, kind: z.literal('categorical'), categories: z.array(text) }),
  z.strictObject({ name: text, kind: z.literal('date') }),
]);

const datePart = z.enum([
  'day',
  'sine of year',
  'cosine of year',
  'sine of week',
  'cosine of week',
  'sine of day',
  'cosine of day',
]);

const rule: z.ZodType<FeatureRule> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('number'),
    part: datePart.exactOptional(),
    mean: z.number(),
    std: z.number().positive(),
    fill: z.number(),
    flagged: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('category'), categories: z.array(text) }),
]);

/** What a model says of its preprocessing, as it was written by this version of the package. */
export const preprocessingSchema: z.ZodType<Preprocessing> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('table'),
    version: z.literal(1),
    target: text,
    columns: z.array(z.strictObject({ type: columnType, rules: z.array(rule) })),
  }),
  z.strictObject({
    kind: z.literal('images'),
    version: z.literal(1),
    shape: z.tuple([size, size, size]),
    resize: z.literal('cover'),
  }),
]);
