import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '../sources/data-folder.js';
import { FileStore } from '../store/file-store.js';
import { ServedStore } from '../store/served-store.js';
import { openStore, type StorePlace } from '../store/store-place.js';
import { type ServerPlace, type StoreAddress, StoreServer } from '../store/store-server.js';
import { addressToward } from './own-address.js';
import type { QueueAddress } from './queue-url.js';
import type { DataStore } from './shared-data.js';

/** The store of a coordinator, and how workers find it. */
export interface CoordinatorStore {
  readonly place: StorePlace;
  readonly store: DataStore;
  /** If this process serves it. */
  readonly address: StoreAddress | undefined;
  /** @param isOver - whether nobody will ask for what is in it */
  close(isOver: boolean): Promise<void>;
}

/** What decides where the store is. */
export interface CoordinatorStoreOptions {
  readonly place: StorePlace;
  readonly serve: Partial<ServerPlace>;
  readonly queue: QueueAddress;
  /** Names the coordinator. */
  readonly owner: string;
}

/**
 * Opens the store of a coordinator, and serves it if nobody else does.
 *
 * @throws UserError if it cannot be used
 */
export async function openCoordinatorStore(options: CoordinatorStoreOptions): Promise<CoordinatorStore> {
  const { place, serve, queue, owner } = options;
  if (place.kind !== 'http') {
    return { place, store: await openStore(place), address: undefined, close: async () => undefined };
  }
  const folder = join(dataFolder(), 'queue', owner);
  const store = new ServedStore(new FileStore(folder));
  const { host = await addressToward(queue), port = 0 } = serve;
  const server = await StoreServer.start(store, { host, port }, randomBytes(24).toString('base64url'));
  return {
    place,
    store,
    address: server.address,
    close: async (isOver) => {
      await server.close();
      if (isOver) await rm(folder, { recursive: true, force: true });
    },
  };
}
