import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { addCompareRoute } from './compare.js';
import { addDataRoutes } from './data.js';
import { addReportRoutes } from './report-parts.js';
import type { RouteContext } from './route-context.js';
import { addRunRoutes } from './runs.js';
import { addStreamRoutes } from './streams.js';
import { addSweepRoutes } from './sweeps.js';
import { addTryRoutes } from './try.js';

/** Adds everything that is behind `/api`. @returns ends what the routes have begun */
export function addRoutes(app: Hono, context: RouteContext): () => Promise<void> {
  app.get('/api/events', (c) =>
    streamSSE(c, (stream) =>
      context.streams.serve(stream, {
        run: c.req.query('run'),
        stream: c.req.query('stream'),
        lastId: c.req.header('last-event-id') ?? '',
      }),
    ),
  );
  addRunRoutes(app, context);
  addReportRoutes(app, context);
  addCompareRoute(app, context);
  addSweepRoutes(app, context);
  addStreamRoutes(app, context);
  const closings = [addDataRoutes(app, context), addTryRoutes(app, context)];
  return async () => {
    await Promise.all(closings.map((close) => close()));
  };
}
