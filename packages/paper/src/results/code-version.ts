import { z } from 'zod';

/** What every line of results tells of the code that computed it. Lines from before this was kept do not have it. */
export const codeShape = {
  code: z
    .strictObject({
      /** Null where the runner was started outside of git. */
      gitCommit: z.string().nullable(),
      /** The engine's fingerprint. */
      engine: z.string(),
    })
    .exactOptional(),
};
