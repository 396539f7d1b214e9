import type { Random } from '@evenhand/engine';

/** Files by their names, which may be paths with `/` in them. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Makes other bytes of some. */
export type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Something that reads files which nobody has looked at before. */
export interface Reader {
  /** How many of the cases are its own, in proportion to the others. */
  readonly share: number;
  /** Small files that it reads, of as many kinds as there are. */
  readonly corpus: () => Promise<Files>;
  readonly mutations: readonly Mutation[];
  /** Makes checksums right again, so that what lies behind them is reached, too. */
  readonly repair?: Mutation;
  /**
   * Reads one file to its end.
   *
   * @param file - its path; all others of the corpus are beside it, as they should be
   * @param folder - where all of them are
   */
  readonly read: (file: string, folder: string) => Promise<unknown>;
  /** What may be thrown beside UserError. */
  readonly refusals?: readonly (abstract new (
    ...given: never[]
  ) => Error)[];
}

/** Readers by name. */
export type Readers = Readonly<Record<string, Reader>>;
