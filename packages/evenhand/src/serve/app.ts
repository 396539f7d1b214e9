import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { packageVersion } from '../package-version.js';
import { UserError } from '../user-error.js';
import { answersAsCsv, answersAsJson } from './answer-text.js';
import { QueueFullError } from './batches.js';
import { describeModel } from './describe-model.js';
import type { Metrics } from './metrics.js';
import { openApiDocument } from './openapi.js';
import { Problem } from './problem.js';
import { readBody } from './read-body.js';
import { readInstances, type UnknownColumns } from './read-instances.js';
import type { ServedModel } from './served-model.js';

/** What the routes need to know. */
export interface AppOptions {
  /** The model of the moment: asked for once per request, so that another can take its place between two of them. */
  readonly model: () => ServedModel;
  /** Whether the file has changed into something that cannot be served, so that the model is one from before. */
  readonly isStale: () => boolean;
  readonly metrics: Metrics;
  /** Bytes of a body. */
  readonly bodyLimit: number;
  readonly hasToken: boolean;
  /** Throws a {@link Problem} unless a request is allowed. */
  readonly checkAccess: (incoming: HttpBindings['incoming']) => void;
  /** Whether the server is about to end. */
  readonly isDraining: () => boolean;
  /** Is told what went wrong inside. */
  readonly onError: (error: unknown) => void;
}

type Environment = { Bindings: HttpBindings };

const VERSION = packageVersion(new URL('../../package.json', import.meta.url));
const TYPES = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
};

/** What a client gets. */
interface Reply {
  readonly status: 200 | 500 | Problem['status'];
  readonly body: string;
  readonly type: keyof typeof TYPES;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Route {
  readonly method: 'GET' | 'POST';
  /** Whether everybody may ask. */
  readonly isOpen?: boolean;
  readonly reply: (context: Context<Environment>, options: AppOptions) => Reply | Promise<Reply>;
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/predict', { method: 'POST', reply: predict }],
  ['/model', { method: 'GET', reply: (_, { model }) => json({ evenhand: VERSION, ...describeModel(model()) }) }],
  ['/health', { method: 'GET', isOpen: true, reply: health }],
  ['/metrics', { method: 'GET', reply: prometheus }],
  [
    '/openapi.json',
    { method: 'GET', reply: (_, { model, hasToken }) => json(openApiDocument(model(), hasToken, VERSION)) },
  ],
]);

/** All that a server answers. */
export function createApp(options: AppOptions): Hono<Environment> {
  const app = new Hono<Environment>();
  for (const [path, { method, isOpen = false, reply }] of ROUTES) {
    app.on(method, path, (context) =>
      answer(context, path, options, () => {
        if (!isOpen) options.checkAccess(context.env.incoming);
        return reply(context, options);
      }),
    );
  }
  return app.notFound((context) =>
    answer(context, 'other', options, () => {
      options.checkAccess(context.env.incoming);
      throw unknownRoute(context.req.path);
    }),
  );
}

/** Answers a request, whatever comes of it, and counts it. */
async function answer(
  context: Context<Environment>,
  path: string,
  { metrics, isDraining, onError }: AppOptions,
  reply: () => Reply | Promise<Reply>,
): Promise<Response> {
  const start = performance.now();
  let given: Reply;
  try {
    given = await reply();
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) onError(error);
    given = problemReply(problem);
  }
  const { status, body, type, headers } = given;
  metrics.request(path, status, performance.now() - start);
  const closing = isDraining() ? { Connection: 'close' } : {};
  return context.body(body, status, { 'Content-Type': TYPES[type], ...headers, ...closing });
}

function json(content: object): Reply {
  return { status: 200, body: JSON.stringify(content), type: 'json' };
}

function predict(context: Context<Environment>, options: AppOptions): Promise<Reply> {
  const served = options.model();
  return served.during(() => predictWith(served, context, options));
}

async function predictWith(
  served: ServedModel,
  { env, req }: Context<Environment>,
  { metrics, bodyLimit }: AppOptions,
): Promise<Reply> {
  const { headers } = env.incoming;
  const unknown = unknownColumns(req.query('unknown'));
  const body = await readBody(env.incoming, bodyLimit);
  const { instances, count, notes } = await readInstances(served, headers['content-type'], body, unknown);
  const answers = await served.batches.predict(instances, count);
  metrics.predictions(served.classNames, answers.classes);
  if (headers.accept?.startsWith('text/csv') === true) {
    return { status: 200, body: answersAsCsv(served, answers), type: 'csv' };
  }
  return { status: 200, body: answersAsJson(served, answers, notes), type: 'json' };
}

function health(_: Context<Environment>, { model, isStale, isDraining }: AppOptions): Reply {
  return isDraining()
    ? { ...json({ status: 'draining' }), status: 503 }
    : json({ status: 'ok', model: model().version, stale: isStale() });
}

function prometheus(_: Context<Environment>, { model, isStale, metrics }: AppOptions): Reply {
  const { batches, version } = model();
  const text = metrics.text({ waiting: batches.waiting, version, isStale: isStale() });
  return { status: 200, body: text, type: 'text' };
}

function unknownColumns(given = 'refuse'): UnknownColumns {
  if (given === 'refuse' || given === 'ignore') return given;
  throw new Problem(400, `The query's "unknown" is "${given.slice(0, 40)}"; expected refuse or ignore.`);
}

function unknownRoute(path: string): Problem {
  const known = ROUTES.get(path);
  if (known !== undefined) return new Problem(405, `${path} answers ${known.method} only.`, { Allow: known.method });
  const list = [...ROUTES].map(([route, { method }]) => `${method} ${route}`);
  return new Problem(404, `There is no such address; there are ${list.join(', ')}.`);
}

/** What a client can mend, or must wait for; undefined for a fault of the server. */
function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof UserError) return new Problem(422, error.message);
  if (error instanceof QueueFullError) {
    return new Problem(503, `Too many rows are waiting; ask again in ${error.seconds} s.`, {
      'Retry-After': String(error.seconds),
    });
  }
  return undefined;
}

function problemReply(problem: Problem | undefined): Reply {
  const status = problem?.status ?? 500;
  const message = problem?.message ?? 'Something went wrong in the server; its log says what.';
  return { ...json({ error: { status, message } }), status, headers: problem?.headers ?? {} };
}
