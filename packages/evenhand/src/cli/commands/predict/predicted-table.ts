import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFolder } from '../../../files/is-folder.js';
import { STANDARD_INPUT } from '../../../files/standard-input.js';
import { walkFolder } from '../../../files/walk-folder.js';
import { isImageName } from '../../../images/image-format.js';
import { inParallel } from '../../../images/in-parallel.js';
import type { Prediction, Predictor } from '../../../prediction/predictor.js';
import { skippedNotes } from '../../../sources/skipped-notes.js';
import type { TableReading } from '../../../sources/table-reading.js';
import type { ColumnRequest, RawColumn } from '../../../tables/raw-table.js';
import { UserError } from '../../../user-error.js';

/** What was predicted, with what it was predicted from. */
export interface PredictedTable {
  readonly columns: readonly RawColumn[];
  /** The JSON of every row, if that is what the data was. */
  readonly rowTexts?: readonly string[];
  readonly prediction: Prediction;
  readonly notes: readonly string[];
}

/** Predicts the rows of a table. All its columns come along. */
export async function predictTableFile(model: Predictor, path: string, reading: TableReading): Promise<PredictedTable> {
  const prediction = await model.predictFile(path, reading);
  const { readTable } = await import('../../../tables/read-table.js');
  const request: ColumnRequest = {
    expected: prediction.table.columns.map(({ name }) => name),
    choose: (header) => header.map((_, column) => ({ column, as: 'texts' })),
  };
  const raw = await readTable(path, request, { ...reading, structures: 'text', keepRows: true });
  const { columns, rowTexts } = raw;
  return { columns, ...(rowTexts === undefined ? {} : { rowTexts }), prediction, notes: prediction.table.notes };
}

/** Predicts an image, or all images below a folder. Those that cannot be decoded are left out, with a note. */
export async function predictImageFiles(model: Predictor, path: string): Promise<PredictedTable> {
  if (path === STANDARD_INPUT) {
    throw new UserError(
      'the model was trained with images, which cannot be read from the standard input; name a file or a folder',
    );
  }
  if (!existsSync(path)) throw new UserError(`there is no file or folder ${path}; images are expected`);
  const { decodeImage } = await import('../../../images/decode-image.js');
  const { files, notes: walkNotes } = isFolder(path) ? await imagesBelow(path) : { files: [''], notes: [] };
  const [shape, size] = imageShape(model);
  const decoded = new Map<string, Uint8Array>();
  const notes: string[] = [...walkNotes];
  await inParallel(files, async (file) => {
    try {
      decoded.set(file, await decodeImage(join(path, file), shape));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      notes.push(`left out: ${error.message}`);
    }
  });
  const usable = files.filter((file) => decoded.has(file));
  if (usable.length === 0)
    throw new UserError(`${path} has no image that can be predicted. ${notes.sort().join('. ')}`);
  const pixels = new Uint8Array(usable.length * size);
  for (const [i, file] of usable.entries()) pixels.set(decoded.get(file) ?? [], i * size);
  const names = usable.map((file) => (file === '' ? path : file));
  const columns: RawColumn[] = [{ kind: 'texts', name: 'file', texts: names, codes: Int32Array.from(names.keys()) }];
  return { columns, prediction: await model.predictPixels(pixels), notes: notes.sort() };
}

function imageShape({ preprocessing }: Predictor): [shape: readonly [number, number, number], size: number] {
  if (preprocessing.kind !== 'images') throw new Error('internal: the model takes no images');
  const [channels, height, width] = preprocessing.shape;
  return [preprocessing.shape, channels * height * width];
}

async function imagesBelow(folder: string): Promise<{ files: string[]; notes: string[] }> {
  const { files, skipped } = await walkFolder(folder);
  const hidden = skipped.filter(({ kind, path }) => kind === 'hidden' && isImageName(path));
  return {
    files: files.filter(isImageName),
    notes: [...skippedNotes(skipped), ...hidden.map(({ path }) => `left out: ${path}: the file is hidden`)],
  };
}
