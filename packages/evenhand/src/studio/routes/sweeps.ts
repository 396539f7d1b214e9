import { join } from 'node:path';
import type { Hono } from 'hono';
import { readJsonLines } from '../../files/json-lines.js';
import { parametersOf } from '../../sweep/definition.js';
import { isList } from '../../sweep/domain.js';
import { parseEvaluatedDraws } from '../../sweep/evaluated-draw.js';
import { rankTrials } from '../../sweep/outcome.js';
import { readSweep, SWEEP_FILES } from '../../sweep/sweep-folder.js';
import type { OptionValue, SearchedOption, SweepDetails, SweepTrial } from '../interface.js';
import { plainValue } from '../runs/option-values.js';
import { canStop, stop } from '../training/trainings.js';
import { notListed } from './listed.js';
import type { RouteContext } from './route-context.js';

/** Searches for good options. */
export function addSweepRoutes(app: Hono, { index }: RouteContext): void {
  const folderOf = (id: string): string => {
    const folder = index.sweepFolderOf(id);
    if (folder === undefined) throw notListed('sweep');
    return folder;
  };

  app.get('/api/sweeps/:id', async (c) => {
    const id = c.req.param('id');
    const folder = folderOf(id);
    const { runs, sweeps } = index.list(-1);
    const sweep = sweeps.find((one) => one.id === id);
    const definition = await readSweep(folder);
    if (sweep === undefined || definition === undefined) throw notListed('sweep');
    const file = join(folder, SWEEP_FILES.results);
    const evaluated = parseEvaluatedDraws(await readJsonLines(file), file);
    const order = [...new Set(evaluated.map(({ trial }) => trial))];
    const trials = rankTrials(definition, evaluated).map(
      (outcome): SweepTrial => ({ ...outcome, values: plainValues(outcome.values) }),
    );
    const details: SweepDetails = {
      sweep,
      sampler: definition.sampler,
      draws: definition.draws,
      planned: definition.trials,
      search: parametersOf(definition).map(
        ({ path, domain }): SearchedOption =>
          isList(domain)
            ? { path, values: domain.map(plainValue), from: null, to: null, isLog: false }
            : { path, values: null, from: domain.from, to: domain.to, isLog: domain.scale === 'log' },
      ),
      trials: trials.sort((a, b) => order.indexOf(a.trial) - order.indexOf(b.trial)),
      running: runs.filter((run) => run.sweep === id && run.state === 'running').map((run) => run.id),
      canStop: canStop(folder),
    };
    return c.json(details);
  });

  app.post('/api/sweeps/:id/stop', (c) => {
    stop(folderOf(c.req.param('id')));
    return c.json({ stopped: true });
  });
}

function plainValues(values: Readonly<Record<string, unknown>>): Record<string, OptionValue> {
  return Object.fromEntries(Object.entries(values).map(([path, value]) => [path, plainValue(value)]));
}
