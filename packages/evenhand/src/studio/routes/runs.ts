import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Hono } from 'hono';
import { entriesOf } from '../../runs/generator-file.js';
import { openRun } from '../../runs/run.js';
import { RUN_FILES } from '../../runs/run-files.js';
import { quoted } from '../../wording/command-line.js';
import type { EpochLinesAnswer, GeneratorFrames, RunDetails, RunSummary } from '../interface.js';
import { linesSince } from '../runs/epoch-lines.js';
import { optionValues } from '../runs/option-values.js';
import { notesSchema, writeNotes } from '../runs/run-notes.js';
import { memberFolders } from '../runs/summarise-run.js';
import { trainCommand } from '../runs/train-command.js';
import { canResume, canStop } from '../training/trainings.js';
import { jsonBody, listedRun, notListed } from './listed.js';
import type { RouteContext } from './route-context.js';

/** Frames of a time slider; of more epochs some are left out. */
const MOST_FRAMES = 120;
/** Of the largest: what is smaller shows no colour. */
const FAINTEST = 0.005;

/** The list of runs, and what is known of each. */
export function addRunRoutes(app: Hono, { index }: RouteContext): void {
  app.get('/api/runs', (c) => c.json(index.list(Number(c.req.query('since') ?? -1))));

  app.get('/api/runs/:id', async (c) => {
    const { folder, summary } = listedRun(index, c.req.param('id'));
    return c.json(await detailsOf(folder, summary));
  });

  app.get('/api/runs/:id/epochs', async (c) => {
    const { folder } = listedRun(index, c.req.param('id'));
    const answer: EpochLinesAnswer = { events: await linesSince(folder, c.req.query('after') ?? '') };
    return c.json(answer);
  });

  app.put('/api/runs/:id/notes', async (c) => {
    const { folder } = listedRun(index, c.req.param('id'));
    const notes = await jsonBody(c, notesSchema);
    await writeNotes(folder, notes);
    await index.refresh();
    return c.json(notes);
  });

  app.get('/api/runs/:id/generators', async (c) => {
    const { folder } = listedRun(index, c.req.param('id'));
    const member = c.req.query('member');
    const members = await memberFolders(folder);
    const wanted = member === undefined ? folder : members.find((one) => basename(one) === member);
    if (wanted === undefined) throw notListed('member');
    return c.json(await framesOf(wanted));
  });
}

async function detailsOf(folder: string, summary: RunSummary): Promise<RunDetails> {
  if (summary.state === 'damaged') return { ...NOTHING, run: summary };
  const run = await openRun(folder);
  const classes = await run.classes().catch(() => null);
  const members = (await memberFolders(folder)).map((member) => basename(member));
  return {
    run: summary,
    classes: classes && { names: classes.names, ...classes.counts },
    config: optionValues(run.config),
    environment: optionValues(run.environment),
    command: trainCommand(run.config, quoted),
    members,
    hasModel: existsSync(join(folder, RUN_FILES.model)),
    canStop: canStop(folder),
    canResume: canResume(folder, summary),
  };
}

const NOTHING = {
  classes: null,
  config: {},
  environment: {},
  command: '',
  members: [],
  hasModel: false,
  canStop: false,
  canResume: false,
};

async function framesOf(folder: string): Promise<GeneratorFrames> {
  const run = await openRun(folder);
  const [{ names }, generators] = [await run.classes(), await run.generators()];
  const step = Math.max(1, generators.length / MOST_FRAMES);
  const shown = generators.filter(
    (_, i) => i === generators.length - 1 || Math.floor(i / step) !== Math.floor((i - 1) / step),
  );
  const changes = shown.map((generator) => ({
    epoch: generator.epoch + 1,
    cells: Array.from(entriesOf(generator), ({ row, column, entry }) => ({
      row,
      column,
      change: entry - (row === column ? 1 : 0),
    })),
  }));
  const most = changes.reduce(
    (high, { cells }) => cells.reduce((inside, { change }) => Math.max(inside, Math.abs(change)), high),
    0,
  );
  const frames = changes.map(({ epoch, cells }) => ({
    epoch,
    entries: cells
      .filter(({ change }) => Math.abs(change) > FAINTEST * most)
      .flatMap(({ row, column, change }) => [row, column, Number(change.toPrecision(3))]),
  }));
  return { classes: names, frames, most };
}
