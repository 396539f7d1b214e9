import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { readStream } from '../../stream/folder/read-stream.js';
import { STREAM_FILES } from '../../stream/folder/stream-files.js';
import { commandLine } from '../../wording/command-line.js';
import type { StreamDetails, StreamLinesAnswer } from '../interface.js';
import { optionValues } from '../runs/option-values.js';
import { metricsLine, streamLinesSince } from '../runs/stream-lines.js';
import { notListed } from './listed.js';
import type { RouteContext } from './route-context.js';

/** Streams that are learned from. */
export function addStreamRoutes(app: Hono, { index }: RouteContext): void {
  const listed = (id: string) => {
    const [folder, stream] = [index.streams.folderOf(id), index.streams.summaryOf(id)];
    if (folder === undefined || stream === undefined) throw notListed('stream');
    return { folder, stream };
  };

  app.get('/api/streams/:id', async (c) => {
    const { folder, stream } = listed(c.req.param('id'));
    const { options, columns, metrics, records, position } = await readStream(folder);
    const details: StreamDetails = {
      stream,
      records,
      position,
      metrics: metricsLine(metrics),
      columns: columns.map(({ name, kind }) => ({ name, kind })),
      options: optionValues(options),
      serveCommand: existsSync(join(folder, STREAM_FILES.model))
        ? commandLine('serve', stream.folder, '--follow')
        : null,
    };
    return c.json(details);
  });

  app.get('/api/streams/:id/lines', async (c) => {
    const { folder } = listed(c.req.param('id'));
    const answer: StreamLinesAnswer = { events: await streamLinesSince(folder, c.req.query('after') ?? '') };
    return c.json(answer);
  });
}
