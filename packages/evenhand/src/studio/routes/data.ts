import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import { parseConfig } from '../../config/parse.js';
import { schemaOptions } from '../../config/schema-options.js';
import { UserError } from '../../user-error.js';
import type { CompletedConfig, ConfigOption } from '../interface.js';
import { optionValues } from '../runs/option-values.js';
import { DataSources } from '../training/data-sources.js';
import { jsonOfCommand } from '../training/evenhand-command.js';
import { canResume, canStop, stop, Trainings } from '../training/trainings.js';
import { jsonBody, listedRun } from './listed.js';
import type { RouteContext } from './route-context.js';

/** A configuration as the form has it: checked by the configuration's own schema. */
const givenSchema = z.looseObject({ data: z.looseObject({ source: z.string() }) });

/** Data to look at, and training on it. @returns ends what was started */
export function addDataRoutes(app: Hono, { index, base }: RouteContext): () => Promise<void> {
  const [runsFolder = join(base, 'runs')] = index.roots;
  const sources = new DataSources(base, runsFolder);
  const trainings = new Trainings(base, runsFolder);

  app.get('/api/sources', async (c) =>
    c.json({ sources: await sources.list(), runsFolder: relative(base, runsFolder) || '.' }),
  );

  app.put('/api/uploads/:name', async (c) => {
    const { body } = c.req.raw;
    if (body === null) throw new UserError('the file is empty');
    return c.json({ path: await sources.add(c.req.param('name'), body) });
  });

  app.post('/api/check', async (c) => {
    const given = await jsonBody(c, givenSchema);
    await sources.check(given.data.source);
    const folder = await mkdtemp(join(tmpdir(), 'evenhand-check-'));
    try {
      const file = join(folder, 'config.json');
      await writeFile(file, JSON.stringify(given));
      return c.json(Object(await jsonOfCommand(['check', '--config', file], base, c.req.raw.signal)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  app.get('/api/options', (c) =>
    c.json(
      schemaOptions().map(
        ({ path, description, values, form, kinds }): ConfigOption => ({ path, description, values, form, kinds }),
      ),
    ),
  );

  app.post('/api/config', async (c) => c.json(completed(await jsonBody(c, givenSchema))));

  app.get('/api/trainings', (c) => c.json(trainings.list()));

  app.post('/api/trainings', async (c) => {
    const given = await jsonBody(c, givenSchema);
    await sources.check(given.data.source);
    return c.json(await trainings.start(given, parseConfig(given)));
  });

  app.post('/api/runs/:id/stop', async (c) => {
    const { folder } = listedRun(index, c.req.param('id'));
    stop(folder);
    return c.json({ stopped: true });
  });

  app.post('/api/runs/:id/resume', async (c) => {
    const { folder, summary } = listedRun(index, c.req.param('id'));
    if (canStop(folder)) throw new UserError(`${summary.name} is being trained`);
    if (!canResume(folder, summary)) {
      throw new UserError(
        `${summary.name} is ${summary.state}, or was trained with others; only a stopped run of its own can be resumed here`,
      );
    }
    return c.json(trainings.resume(folder));
  });

  return () => trainings.close();
}

/** Every option with the value that it would have. */
function completed(given: object): CompletedConfig {
  try {
    return { config: optionValues(parseConfig(given)), problem: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { config: null, problem: error.message };
  }
}
