import { basename } from 'node:path';
import type { EpochMetrics } from '../../runs/metrics-file.js';
import { openRun } from '../../runs/run.js';
import type { EpochEvent, EpochLine } from '../interface.js';
import { memberFolders } from './summarise-run.js';

/** A line of metrics as the page gets it. */
export function epochLine({ epoch, loss, learningRate, validation }: EpochMetrics): EpochLine {
  const measured = validation && {
    softAccuracy: validation.softAccuracy,
    accuracy: validation.accuracy,
    softRecall: validation.softRecall,
  };
  return { epoch: epoch + 1, loss, learningRate, validation: measured };
}

/** An event and what it is called, so that a page that was cut off can ask for what follows it. */
export interface NumberedEvent {
  /** Lines so far: of the run, and of a portfolio those of every member that was begun, `12` or `0-30-7`. */
  readonly id: string;
  readonly event: EpochEvent;
}

/** The lines that are new since an id; all of them if the files have fewer lines than it says, as after an earlier checkpoint. */
export async function linesSince(folder: string, id: string): Promise<NumberedEvent[]> {
  const members = await memberFolders(folder);
  const all = await Promise.all(
    [folder, ...members].map(async (one) => (await openRun(one)).metrics().catch((): EpochMetrics[] => [])),
  );
  const known = id.split('-').map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0));
  const isCut = all.some((lines, i) => lines.length < (known[i] ?? 0));
  const sent = all.map((_, i) => (isCut ? 0 : (known[i] ?? 0)));
  return all.flatMap((lines, i) =>
    lines.slice(sent[i]).map((line) => {
      sent[i] = (sent[i] ?? 0) + 1;
      const member = i === 0 ? null : basename(members[i - 1] ?? '');
      return { id: sent.join('-'), event: { member, line: epochLine(line) } };
    }),
  );
}
