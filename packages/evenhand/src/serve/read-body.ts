import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/**
 * The body of a request, as far as it is no longer than allowed: what is longer is refused by its header, or as soon as it is.
 *
 * @throws Problem
 */
export function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > mostBytes) return Promise.reject(tooLarge(mostBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else {
        incoming.off('data', take);
        reject(tooLarge(mostBytes));
      }
    };
    incoming.on('data', take);
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
    const cutOff = () => reject(new Problem(400, 'The connection was closed before the whole body had arrived.'));
    incoming.once('close', cutOff); // after the end this says nothing
    incoming.once('error', cutOff);
  });
}

function tooLarge(mostBytes: number): Problem {
  const limit = mostBytes >= 2 ** 20 ? `${Math.floor(mostBytes / 2 ** 20)} MB` : `${mostBytes} bytes`;
  return new Problem(
    413,
    `The body is larger than ${limit}. Send the rows in several requests, or start the server with a larger --body-limit.`,
    { Connection: 'close' },
  );
}
