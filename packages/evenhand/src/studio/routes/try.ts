import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import { at, float64At, int32At } from '../../checked-access.js';
import { openModel, type Prediction, type Predictor } from '../../prediction/predictor.js';
import type { TablePreprocessing } from '../../preprocessing/preprocessing.js';
import type { TestPredictions } from '../../runs/predictions-file.js';
import { openRun } from '../../runs/run.js';
import { UserError } from '../../user-error.js';
import type { ModelForm, TriedPrediction } from '../interface.js';
import { jsonBody, listedRun } from './listed.js';
import type { RouteContext } from './route-context.js';

/** Models that stay open. */
const KEPT = 2;
const SHOWN = 5;
const LARGEST_IMAGE = 50_000_000;

const rowSchema = z.strictObject({
  row: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

interface OpenedModel {
  readonly predictor: Predictor;
  readonly test: TestPredictions;
}

/** Predictions with a run's model. @returns closes the models */
export function addTryRoutes(app: Hono, { index }: RouteContext): () => Promise<void> {
  const kept = new Map<string, Promise<OpenedModel>>();
  const modelOf = (id: string): Promise<OpenedModel> => {
    const { folder, summary } = listedRun(index, id);
    const key = `${id} ${summary.changed}`;
    const found = kept.get(key) ?? openFor(folder);
    kept.delete(key);
    kept.set(key, found);
    found.catch(() => kept.delete(key));
    for (const [oldest, model] of [...kept].slice(0, -KEPT)) {
      kept.delete(oldest);
      void close(model);
    }
    return found;
  };

  app.get('/api/runs/:id/model', async (c) => {
    const { predictor } = await modelOf(c.req.param('id'));
    return c.json(formOf(predictor));
  });

  app.post('/api/runs/:id/predict', async (c) => {
    const model = await modelOf(c.req.param('id'));
    const { row } = await jsonBody(c, rowSchema);
    const { table, ...prediction } = await model.predictor.predictRows([row]);
    return c.json(answerOf(model, prediction, table.notes));
  });

  app.post('/api/runs/:id/predict-image', async (c) => {
    const model = await modelOf(c.req.param('id'));
    const length = Number(c.req.header('content-length') ?? Number.NaN);
    if (!(length <= LARGEST_IMAGE))
      throw new UserError(`the image has more than ${LARGEST_IMAGE} bytes; expected a smaller one`);
    const folder = await mkdtemp(join(tmpdir(), 'evenhand-try-'));
    try {
      const file = join(folder, 'image');
      await writeFile(file, new Uint8Array(await c.req.arrayBuffer()));
      return c.json(answerOf(model, await model.predictor.predictImages([file]), []));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  return async () => {
    await Promise.all([...kept.values()].map(close));
  };
}

async function openFor(folder: string): Promise<OpenedModel> {
  const run = await openRun(folder);
  return { predictor: await openModel(run.modelFile), test: await run.predictions() };
}

async function close(model: Promise<OpenedModel>): Promise<void> {
  await model.then(({ predictor }) => predictor.close()).catch(() => undefined);
}

function formOf({ preprocessing, classNames }: Predictor): ModelForm {
  if (preprocessing.kind === 'images') return { kind: 'images', classes: classNames, shape: preprocessing.shape };
  return { kind: 'table', classes: classNames, columns: preprocessing.columns.map(fieldOf) };
}

function fieldOf({ type, rules }: TablePreprocessing['columns'][number]) {
  const values = type.kind === 'categorical' ? type.categories : type.kind === 'boolean' ? type.texts : [];
  const [rule] = rules;
  const fill = type.kind === 'numeric' && rule?.kind === 'number' ? String(Number(rule.fill.toPrecision(6))) : '';
  return { name: type.name, kind: type.kind, values, fill };
}

function answerOf(
  { predictor, test }: OpenedModel,
  { labels, probabilities }: Prediction,
  notes: readonly string[],
): TriedPrediction {
  const named = predictor.classNames.map((name, p) => ({ name, probability: probabilities[p] ?? 0 }));
  return {
    label: labels[0] ?? '',
    probabilities: [...named].sort((a, b) => b.probability - a.probability),
    notes,
    similar: similarTo(probabilities, test, predictor.classNames),
  };
}

/** The test instances with the nearest probabilities, by the Hellinger distance `√(1 − Σ √(p·q))`. */
function similarTo(
  probabilities: Float32Array,
  test: TestPredictions,
  names: readonly string[],
): TriedPrediction['similar'] {
  const roots = probabilities.map(Math.sqrt);
  const distances = test.instances.map((_, i) => {
    const overlap = roots.reduce(
      (sum, root, p) => sum + root * Math.sqrt(Math.max(0, float64At(test.probabilities, i * names.length + p))),
      0,
    );
    return Math.sqrt(Math.max(0, 1 - overlap));
  });
  return [...distances.keys()]
    .sort((a, b) => at(distances, a) - at(distances, b))
    .slice(0, SHOWN)
    .map((i) => ({
      instance: at(test.instances, i),
      label: at(names, int32At(test.labels, i)),
      answer: at(names, int32At(test.answers, i)),
      distance: at(distances, i),
    }));
}
