import { join } from 'node:path';
import { z } from 'zod';
import { readJsonLinesFile } from './json-file.js';
import { RUN_FILES } from './run-files.js';

const epochGeneratorSchema = z.object({
  /** From 0. */
  epoch: z.int(),
  /** The generator matrix that the epoch was trained with: row p is the label of class p. */
  generator: z.array(z.array(z.number()).readonly()).readonly(),
  classWeights: z.array(z.number()).readonly(),
});

/** A line of `generator.jsonl`. */
export type EpochGenerator = Readonly<z.output<typeof epochGeneratorSchema>>;

/** The generator matrix over time. */
export function readGenerators(folder: string): Promise<EpochGenerator[]> {
  return readJsonLinesFile(join(folder, RUN_FILES.generators), epochGeneratorSchema);
}
