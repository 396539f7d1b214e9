import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../wording/error-message.js';
import { ParquetColumns } from './parquet-columns.js';
import type { ParquetAnswer, ParquetFile } from './parquet-thread.js';
import type { ChosenColumn } from './raw-table.js';

function answer(message: ParquetAnswer): void {
  const column = message.kind === 'column' ? message.column : null;
  const memory = column === null ? [] : [(column.kind === 'texts' ? column.codes : column.values).buffer];
  parentPort?.postMessage(
    message,
    memory.filter((buffer) => buffer instanceof ArrayBuffer),
  );
}

async function orDamaged(read: () => Promise<ParquetAnswer>): Promise<void> {
  try {
    answer(await read());
  } catch (error) {
    answer({ kind: 'damaged', reason: errorMessage(error) });
  }
}

const { descriptor, size }: ParquetFile = workerData;
const opened = ParquetColumns.open(descriptor, size);

parentPort?.on('message', (chosen: ChosenColumn) =>
  orDamaged(async () => ({ kind: 'column', column: await (await opened).read(chosen) })),
);

await orDamaged(async () => {
  const { header, rows } = await opened;
  return { kind: 'header', header, rows };
});
