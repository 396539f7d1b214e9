import { join } from 'node:path';
import { UserError } from 'evenhand';
import { nearestName, oneOf } from 'evenhand/command-line';
import { DEVICES } from 'evenhand/config';
import { type Folders, resultsFile, runsFolder, type TableVersion } from '../../results/layout.js';
import { type Cell, type CellSelection, cellsOf } from '../../tables/cells.js';
import { SCALES, scaleOf } from '../../tables/recipes.js';
import { TABLE_NAMES, TABLES, type TableName } from '../../tables/tables.js';
import { methodOf } from '../method-name.js';

/** What was typed behind `reproduce`. */
export interface ReproduceWords {
  readonly what: string;
  readonly scale: string;
  readonly seeds: string | undefined;
  readonly only: string | undefined;
  readonly methods: string | undefined;
  readonly subsets: number;
  readonly epochs: number | undefined;
  readonly imageSize: number | undefined;
  readonly device: string;
  readonly folder: string;
  readonly results: string | undefined;
  readonly page: string | undefined;
  readonly summary: string | undefined;
  readonly processes: number | undefined;
}

/** A table that is to be run. */
export interface PlannedTable extends TableVersion {
  readonly cells: readonly Cell[];
  /** Folder of the run folders. */
  readonly runs: string;
  /** File of the results. */
  readonly results: string;
}

/** What is to be reproduced. */
export interface ReproducePlan extends Folders {
  readonly tables: readonly PlannedTable[];
  /** Where the page with the figures is written; undefined if it is not. */
  readonly page: string | undefined;
  /** A document that the page's summary goes into; undefined if there is none. */
  readonly summary: string | undefined;
  /** As many as there are cores if undefined. */
  readonly processes: number | undefined;
}

/**
 * What the words on the command line ask for.
 *
 * @throws {@link UserError} that names the word, with what would have been right
 */
export function planOf(words: ReproduceWords): ReproducePlan {
  const what = oneOf('what is reproduced', words.what, [...TABLE_NAMES, 'figures', 'all'] as const);
  const folders = { folder: words.folder, results: words.results ?? join(words.folder, 'results') };
  const names = TABLE_NAMES.filter((name) => name === what || what === 'all');
  const scale = oneOf('--scale', words.scale, SCALES);
  const selection = { scale, ...selectionOf(words, names) };
  if (what === 'figures') refuseUnused(words);
  if (words.imageSize !== undefined && what !== 'table3') {
    throw new UserError('--image-size is about the photographs of table3 alone; leave it out, or name table3');
  }
  if (words.summary !== undefined && words.page === undefined && names.length > 0 && what !== 'all') {
    throw new UserError('--summary is of the page; expected --page with it, or figures');
  }
  const planned = names.map((table) => planTable(table, selection, folders)).filter(({ cells }) => cells.length > 0);
  return {
    ...folders,
    tables: planned,
    page: words.page ?? (what === 'figures' || what === 'all' ? words.folder : undefined),
    summary: words.summary,
    processes: words.processes,
  };
}

/** The page shows all results: what would choose some would be ignored. */
function refuseUnused(words: ReproduceWords): void {
  const unused = (['only', 'methods', 'seeds', 'epochs', 'imageSize'] as const).filter(
    (option) => words[option] !== undefined,
  );
  if (unused.length === 0) return;
  throw new UserError(
    `figures are drawn from all results; leave out ${unused.map((option) => (option === 'imageSize' ? '--image-size' : `--${option}`)).join(' and ')}, or name a table`,
  );
}

type Selection = Omit<CellSelection, 'table'>;
/** What `--only` chooses. */
type Only = Pick<Selection, 'settings' | 'losses' | 'methods'>;

function selectionOf(words: ReproduceWords, tables: readonly TableName[]): Omit<Selection, 'scale'> {
  const methodNames = words.methods?.split(',').map((name) => methodOf('--methods', name));
  const { epochs, imageSize, subsets } = words;
  const seeds = words.seeds === undefined ? undefined : seedsOf(words.seeds);
  const only: Only = words.only === undefined || tables.length === 0 ? {} : onlyOf(words.only, tables);
  if (subsets > 1 && only.losses?.includes('ce') === false) {
    throw new UserError(
      `--subsets is about cross-entropy alone, and --only names ${words.only}; leave one of them out`,
    );
  }
  if (methodNames !== undefined && only.methods !== undefined) {
    throw new UserError('--only names a method, and so does --methods; leave one of them out');
  }
  return {
    ...(methodNames === undefined ? {} : { methods: [...new Set(methodNames)] }),
    ...only,
    ...(epochs === undefined ? {} : { epochs }),
    ...(imageSize === undefined ? {} : { imageSize }),
    ...(seeds === undefined ? {} : { seeds }),
    subsets,
    device: oneOf('--device', words.device, DEVICES),
  };
}

function planTable(table: TableName, selection: Selection, folders: Folders): PlannedTable {
  const { epochs, imageSize } = selection;
  const version = {
    table,
    scale: scaleOf(table, selection.scale),
    ...(epochs === undefined ? {} : { epochs }),
    ...(imageSize === undefined ? {} : { imageSize }),
  };
  return {
    ...version,
    cells: cellsOf({ ...selection, table }),
    runs: runsFolder(folders, version),
    results: resultsFile(folders, version),
  };
}

/** More seeds than these are a mistake. */
const MOST_SEEDS = 1000;

/** `3` for the seeds 0, 1 and 2; `3..4` for the seeds 3 and 4. */
function seedsOf(text: string): number[] {
  const [, from, to] = text.match(/^(?:(\d{1,4})\.\.)?(\d{1,4})$/) ?? [];
  const first = Number(from ?? 0);
  const last = from === undefined ? Number(to) - 1 : Number(to);
  if (to === undefined || last < first || last >= MOST_SEEDS) {
    throw new UserError(
      `--seeds is "${text}"; expected how many, from 1 to ${MOST_SEEDS}, or a range such as 3..4, which is the seeds 3 and 4`,
    );
  }
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** `long-tail`, `long-tail/ce` or `long-tail/ce/enhancement`. */
function onlyOf(text: string, tables: readonly TableName[]): Only {
  const [settingText = '', lossText, methodText, ...rest] = text.split('/');
  const known = tables.flatMap((table) =>
    TABLES[table].settings.map(({ name }) => ({ name, losses: TABLES[table].losses })),
  );
  const settings = known.map(({ name }) => name);
  const { name: setting, losses = [] } = known.find(({ name }) => name === settingText) ?? {};
  const loss = losses.find((name) => name === lossText);
  if (setting === undefined || (lossText !== undefined && loss === undefined) || rest.length > 0) {
    const rows = known.flatMap(({ name, losses: own }) => own.map((one) => `${name}/${one}`));
    const nearest = nearestName([settingText, lossText].join('/'), rows);
    throw new UserError(
      `--only is "${text}"; ${nearest === undefined ? '' : `did you mean "${nearest}"? `}Expected one of ` +
        `${rows.join(', ')}, a setting alone (${settings.join(', ')}), or one method of a row, such as ` +
        `${settings[0]}/ce/enhancement`,
    );
  }
  return {
    settings: [setting],
    ...(loss === undefined ? {} : { losses: [loss] }),
    ...(methodText === undefined ? {} : { methods: [methodOf('--only', methodText)] }),
  };
}
