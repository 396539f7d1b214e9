import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import { z } from 'zod';
import { type WrittenBlock, writeBlock } from '../documents/written-block.js';

/** The scripts in `examples/gallery`, in the order of the page. */
export const STORIES = ['mammography', 'abalone', 'caltech', 'tensorflow', 'stream'] as const;

/** The name of a script. */
export type Story = (typeof STORIES)[number];

/** What a script keeps with `--results`: the numbers as they are, and the lines in which it printed them. */
const resultSchema = z.object({
  story: z.enum(STORIES),
  evenhand: z.string(),
  node: z.string(),
  numbers: z.record(z.string(), z.unknown()),
  printed: z.array(z.string()),
});

/** What came of a story. */
export type StoryResult = z.output<typeof resultSchema>;

/** @throws {@link UserError} if the story was not told yet */
export async function readStory(folder: string, story: Story): Promise<StoryResult> {
  const file = join(folder, `${story}.json`);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`${file} cannot be read; npm run gallery -- --only ${story} makes it`, { cause: error });
  });
  return resultSchema.parse(JSON.parse(text));
}

/** The part of `docs/gallery.md` that shows what a story printed. */
export function storyBlock(story: Story): WrittenBlock {
  return { name: `output of ${story}`, writtenBy: `\`npm run gallery\` from results/gallery/${story}.json` };
}

/** That part. */
export function storySection({ printed }: Pick<StoryResult, 'printed'>): string {
  return `\`\`\`text\n${printed.join('\n')}\n\`\`\``;
}

/** Writes what stories printed into the page. */
export async function writeStories(page: string, results: readonly StoryResult[]): Promise<void> {
  for (const result of results) await writeBlock(page, storyBlock(result.story), storySection(result));
}
