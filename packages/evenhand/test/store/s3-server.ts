import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A server that speaks as much of S3's language as a store needs; whoever asks may. */
export async function startS3(
  bucket: string,
): Promise<{ readonly url: string; readonly objects: Map<string, Buffer> }> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    const key = decodeURIComponent(pathname.slice(`/${bucket}/`.length));
    const found = objects.get(key);
    if (request.method === 'PUT') {
      const body = await buffer(request).catch(() => undefined);
      // An upload that is cut off is none.
      if (body === undefined || body.length !== Number(request.headers['content-length'])) return response.destroy();
      objects.set(key, body);
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    if (searchParams.has('list-type')) {
      const keys = [...objects.keys()].filter((name) => name.startsWith(searchParams.get('prefix') ?? ''));
      const contents = keys.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('');
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<ListBucketResult><Name>${bucket}</Name>${contents}</ListBucketResult>`);
    }
    if (found === undefined)
      return response
        .writeHead(404, { 'content-type': 'application/xml' })
        .end(request.method === 'HEAD' ? undefined : '<Error><Code>NoSuchKey</Code></Error>');
    return response
      .writeHead(200, { 'content-length': found.length })
      .end(request.method === 'HEAD' ? undefined : found);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, objects };
}
