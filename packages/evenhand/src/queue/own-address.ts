import { connect } from 'node:net';
import type { QueueAddress } from './queue-url.js';

/** The address that this machine has toward another one: whoever reaches that one most likely reaches this one by it. */
export function addressToward({ host, port }: Pick<QueueAddress, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => {
      resolve(socket.localAddress ?? '127.0.0.1');
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
