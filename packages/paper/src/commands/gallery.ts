import {
  addExamples,
  addOutputOptions,
  type DefineCommand,
  interruptible,
  oneOf,
  printable,
  terminalOf,
  textOf,
  valuesOf,
} from 'evenhand/command-line';
import { readStory, STORIES, storySection, writeStories } from '../gallery/stories.js';
import { tellStory } from '../gallery/tell-story.js';
import { npmScript } from '../npm-script.js';

/** Where the gallery of docs is. */
const OWN_FILES = { results: 'results/gallery', page: 'docs/gallery.md' };

/** `evenhand-paper gallery`. */
export const defineGallery: DefineCommand = (command) => {
  addExamples(command, ['gallery', 'gallery -- --only stream'], 'npm run')
    .option('--only <stories>', `which stories, by comma (default: all ${STORIES.length}): ${STORIES.join(', ')}`)
    .option('--out <folder>', 'where runs, reports and pictures go', 'gallery')
    .option('--results <folder>', 'where results are and go', OWN_FILES.results)
    .option('--page <file>', `the page that the output goes into (default with these results: ${OWN_FILES.page})`)
    .option('--no-running', 'show, and write into the page, the results that are there');
  return addOutputOptions(command).action(async () => {
    const terminal = terminalOf(command);
    const results = textOf(command, 'results') ?? OWN_FILES.results;
    const page = textOf(command, 'page') ?? (results === OWN_FILES.results ? OWN_FILES.page : null);
    const out = textOf(command, 'out') ?? 'gallery';
    const only = textOf(command, 'only')
      ?.split(',')
      .map((name) => oneOf('--only', name.trim(), STORIES));
    const stories = STORIES.filter((story) => only?.includes(story) ?? true);
    if (valuesOf(command).running !== false) {
      await interruptible(
        terminal,
        async (signal) => {
          for (const story of stories) await tellStory(story, { out, results }, signal);
        },
        () => `interrupted; begin again with:\n  ${printable(npmScript('gallery', ...process.argv.slice(3)))}`,
      );
    }
    const told = await Promise.all(stories.map((story) => readStory(results, story)));
    if (page !== null) await writeStories(page, told);
    for (const result of told) terminal.say(`${result.story}\n${storySection(result)}\n`);
    terminal.say(`  results  ${printable(results)}`);
    if (page !== null) terminal.say(`  page     ${printable(page)}`);
    terminal.json({ results, page });
  });
};
