import { Header, Pax } from 'tar';

/** An entry of a tar archive, with whatever lies a test wants to tell. */
export interface Entry {
  readonly path: string;
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO' | 'TapeVolumeHeader';
  readonly linkpath?: string;
  readonly content?: Uint8Array | string;
  readonly mode?: number;
  /** Writes the path into an extended header, as for long names; the plain header gets a harmless one. */
  readonly extended?: boolean;
}

/** The bytes of a tar archive with these entries, in this order. */
export function craftedArchive(entries: readonly Entry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocks), Buffer.alloc(1024)]);
}

function blocks({ path, type = 'File', linkpath, content = '', mode = 0o644, extended = false }: Entry): Buffer[] {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  const plain = extended ? 'harmless' : path;
  new Header({ path: plain, type, mode, size: body.length, ...(linkpath === undefined ? {} : { linkpath }) }).encode(
    header,
  );
  const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
  return [...(extended ? [new Pax({ path }).encode()] : []), header, body, padding];
}
