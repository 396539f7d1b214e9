import { z } from 'zod';

const numericsSchema = z.strictObject({
  evenhand: z.string(),
  onnxRuntime: z.string(),
  node: z.string(),
  engine: z.string(),
});

/** Checks what another process says of itself. Later versions may say more. */
export const presenceEntrySchema = z.object({
  kind: z.enum(['coordinator', 'worker']),
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  /** The queue that it gives trials to, or takes them from. */
  queue: z.string(),
  mixed: z.boolean(),
  numerics: numericsSchema,
  /** When it last gave a sign of life, in milliseconds since 1970. */
  seen: z.number(),
  /** Of a coordinator that serves its store. */
  store: z.strictObject({ url: z.string(), token: z.string() }).exactOptional(),
  /** Of a coordinator: the folder of its runs. Of a worker: what it trains now. */
  about: z.array(z.string()),
});

/** What a coordinator or worker lets the others know of itself. */
export type PresenceEntry = z.output<typeof presenceEntrySchema>;
