import { existsSync, lstatSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Config } from '../config/schema.js';
import type { Dataset } from '../dataset/dataset.js';
import { STANDARD_INPUT } from '../files/standard-input.js';
import { readTable } from '../tables/read-table.js';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';
import { readCaltech101 } from './caltech101.js';
import { readCifar10 } from './cifar10.js';
import { readImageFolder } from './image-folder.js';
import { readFashionMnist, readMnist } from './mnist.js';
import { readTableFile } from './table-file.js';
import { tableReading } from './table-reading.js';

/** What {@link openDataset} tells while it works. */
export interface OpenDatasetOptions {
  /** Called while images are read: steps done, of all. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Gives up reading, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

type DataConfig = Config['data'];

type Reader = (data: DataConfig, options: OpenDatasetOptions) => Promise<Dataset>;

/** How names of tables' files end; those of text also with `.gz` behind it. */
const TABLE_EXTENSIONS = ['.csv', '.tsv', '.txt', '.jsonl', '.ndjson', '.parquet'];
const TABLES = `a table (${TABLE_EXTENSIONS.join(', ')}, or packed: .csv.gz)`;

/** Whether a source is a table, by its name. */
export function isTable(source: string): boolean {
  return source === STANDARD_INPUT || TABLE_EXTENSIONS.includes(extname(source.replace(/\.gz$/i, '')).toLowerCase());
}

/** The data sets that are known by name. A file or folder of the same name is reached with `./` before it. */
const KNOWN: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['mnist', fixedSize(readMnist)],
  ['fashion-mnist', fixedSize(readFashionMnist)],
  ['cifar10', fixedSize(readCifar10)],
  ['caltech101', (data, options) => readCaltech101(imageOptions(data, options))],
]);

/** Whether a source is a data set that is known by name, which every machine has to have itself. */
export function isKnownDataset(source: string): boolean {
  return KNOWN.has(source);
}

const WITH_TEST_SET: ReadonlySet<string> = new Set(['mnist', 'fashion-mnist', 'cifar10']);

/** Whether all splits of a data set would have the same test instances: those that its source sets aside. */
export function keepsTestSet({ source, testShare, testPerClass }: DataConfig): boolean {
  return WITH_TEST_SET.has(source) && testShare === undefined && testPerClass === undefined;
}

/**
 * Opens what a configuration names as its data: a data set known by name, a table's file, or a folder of images.
 *
 * @throws {@link UserError} if there is no such thing, with the nearest names, or an option does not fit it
 */
export async function openDataset(data: DataConfig, options: OpenDatasetOptions = {}): Promise<Dataset> {
  const { source } = data;
  const known = KNOWN.get(source);
  if (known !== undefined) {
    refuseTarget(data);
    return known(data, options);
  }
  if (source === STANDARD_INPUT) return openTable(data, options);
  if (!existsSync(source)) throw await missingSourceError(source);
  if (statSync(source).isDirectory()) {
    refuseTarget(data);
    return readImageFolder(source, imageOptions(data, options));
  }
  if (isTable(source)) return openTable(data, options);
  throw new UserError(
    `data.source is ${source}, a file of an unknown kind; expected ${TABLES}, ` +
      'a folder of images with one sub-folder per class, or the name of a data set',
  );
}

async function openTable(data: DataConfig, { signal }: OpenDatasetOptions): Promise<Dataset> {
  const { source, target, group, missingLabels, missingValues, ignore } = data;
  refuseImageSize(data);
  const reading = { ...tableReading(data), signal };
  if (target !== undefined)
    return readTableFile(source, { target, group, missingLabels, missingValues, ignore, ...reading });
  await readTable(
    source,
    {
      expected: [],
      choose: (header) => {
        throw missingTargetError(source, header);
      },
    },
    reading,
  );
  throw missingTargetError(source, []);
}

function missingTargetError(source: string, columns: readonly string[]): UserError {
  return new UserError(
    `${source} is a table, and data.target does not say which column holds the classes; ` +
      `expected one of ${columns.map((name) => `"${name}"`).join(', ')}`,
    { options: ['data.target'] },
  );
}

function fixedSize(read: () => Promise<Dataset>): Reader {
  return (data) => {
    refuseImageSize(data);
    return read();
  };
}

function imageOptions({ imageSize }: DataConfig, { onProgress }: OpenDatasetOptions) {
  return {
    ...(imageSize === undefined ? {} : { size: imageSize }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

function refuseTarget({ source, target }: DataConfig): void {
  if (target === undefined) return;
  throw new UserError(
    `data.target is "${target}", but ${source} is a set of images, whose folders or labels are the classes; leave it out`,
    { options: ['data.target'] },
  );
}

function refuseImageSize({ source, imageSize }: DataConfig): void {
  if (imageSize === undefined) return;
  throw new UserError(`data.imageSize is ${imageSize}, but ${source} has no images that can be resized; leave it out`, {
    options: ['data.imageSize'],
  });
}

async function missingSourceError(source: string): Promise<UserError> {
  if (lstatSync(source, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    return new UserError(`data.source is "${source}", a link that leads nowhere, or in a circle; expected one to data`);
  }
  const beside = await readdir(dirname(source)).catch(() => []);
  const file = nearestName(basename(source), beside);
  const nearest = nearestName(source, KNOWN.keys()) ?? (file === undefined ? undefined : join(dirname(source), file));
  return new UserError(
    `data.source is "${source}", and there is no such file, folder or data set; ` +
      `${nearest === undefined ? 'expected' : `did you mean "${nearest}"? Expected`} ${TABLES}, a folder of images, ` +
      `or one of ${[...KNOWN.keys()].join(', ')}`,
  );
}
