import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';

/** A real npm registry, on this machine, with one package. */
export interface LocalRegistry {
  readonly address: string;
  close(): void;
}

/** Starts a registry that offers an archive as a version of a package. */
export async function startLocalRegistry(name: string, version: string, archive: Uint8Array): Promise<LocalRegistry> {
  const server = createServer((request, response) => {
    if (request.url === `/${name}.tgz`) response.end(archive);
    else if (request.url === `/${name}`) response.end(JSON.stringify(manifest(`${addressOf(server)}/${name}.tgz`)));
    else response.writeHead(404).end('{}');
  });
  const manifest = (tarball: string): unknown => {
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    return {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { name, version, dist: { tarball, integrity } } },
    };
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: addressOf(server), close: () => server.close() };
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the registry does not listen');
  return `http://127.0.0.1:${address.port}`;
}
