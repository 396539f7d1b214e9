import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { documentBlocks } from '../../../../test/documents.js';

/** Rows of payments, some of them frauds, which are large and at night. */
const ROWS = Array.from({ length: 24 }, (_, i) => {
  const isFraud = i % 4 === 0;
  return {
    amount: (isFraud ? 300 : 20) + ((i * 7) % 13) + i / 100,
    country: ['NO', 'SE', 'DK'][i % 3],
    hour: isFraud ? (i % 8) / 4 : 9 + (i % 11),
    customer: `c${i}`,
    chargeback: isFraud && i % 8 === 0 ? 'yes' : 'no',
    state: isFraud ? 'fraud' : 'fine',
  };
});

type Row = (typeof ROWS)[number];

function csv(columns: readonly (keyof Row)[], names: Partial<Record<keyof Row, string>> = {}): string {
  const header = columns.map((column) => names[column] ?? column);
  return [header, ...ROWS.map((row) => columns.map((column) => row[column]))].map((cells) => `${cells}\n`).join('');
}

const COLUMNS = ['amount', 'country', 'hour', 'customer', 'chargeback'] as const;

/** Tables by the names that pages give them, as small as they can be. */
const TABLES: Readonly<Record<string, string>> = {
  'payments.csv': csv([...COLUMNS, 'state']),
  'new-payments.csv': csv(COLUMNS),
  'fraud.csv': csv(['amount', 'country', 'state'], { state: 'class' }).replaceAll(',fine', ',normal'),
  'until-june.csv': csv(['amount', 'country', 'hour', 'state']),
  'july.csv': csv(['amount', 'country', 'hour', 'state']),
  'data.csv': csv(['amount', 'country', 'state'], { state: 'class' }),
  'new.csv': csv(['amount', 'country']),
};

/** Rows of a stream: more than the first hundred, which tell what the columns are. */
export const EVENTS = Array.from({ length: 5 }, (_, i) => ROWS.map((row, j) => ({ id: 24 * i + j, ...row })))
  .flat()
  .map(({ id, amount, country, state }) => ({ id, amount, country, class: state }));

/** Puts into a folder what the commands of a page read. */
export async function writePageFiles(folder: string, page: string): Promise<void> {
  for (const [name, text] of Object.entries(TABLES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'events.ndjson'), EVENTS.map((event) => `${JSON.stringify(event)}\n`).join(''));
  // A configuration is a block of the page itself.
  const [config] = documentBlocks().filter(({ path, language }) => path === page && language === 'json');
  if (config !== undefined) writeFileSync(join(folder, 'smote.json'), config.code);
  for (const name of ['a', 'b']) mkdirSync(join(folder, name));
  if (page === 'docs/images.md') await writePhotos(folder);
}

/** Dark and bright squares. */
async function writePhotos(folder: string): Promise<void> {
  for (const [name, count, brightness] of [
    ['photos/crack', 4, 60],
    ['photos/fine', 8, 200],
    ['new-photos', 2, 60],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true });
    for (let i = 0; i < count; i++) {
      const background = { r: brightness, g: brightness + 5 * i, b: brightness };
      const image = sharp({ create: { width: 16, height: 16, channels: 3, background } });
      await image.jpeg().toFile(join(folder, name, `000${i}.jpg`));
    }
  }
}
