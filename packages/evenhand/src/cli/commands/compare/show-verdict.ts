import { join } from 'node:path';
import { at } from '../../../checked-access.js';
import type { ClassRecall, NeglectedClasses } from '../../../evaluation/verdict.js';
import type { Advice } from '../../../runs/advice.js';
import { RUN_FILES } from '../../../runs/run-files.js';
import { type ComparisonVerdict, leadText, type RunVerdict } from '../../../runs/verdict.js';
import { commandLine, quoted } from '../../../wording/command-line.js';
import { count, percent } from '../../../wording/numbers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit, printable } from '../../terminal/text.js';

/** Classes that a sentence names, and columns that a name takes there. */
const NAMED = 5;
const NAME_COLUMNS = 40;

/** Says whether a run is worth anything, which classes it neglects, and what to try. */
export function showVerdict(terminal: Terminal, folder: string, verdict: RunVerdict): void {
  const { isBetterThanGuessing, balancedAccuracy, baseline, commonest, weakest, lost, belowChance } = verdict;
  const title = isBetterThanGuessing ? 'Better than guessing.' : 'Not clearly better than guessing.';
  terminal.say(
    `${terminal.style('bold', title)} On average it finds ${percent(balancedAccuracy)} of a class; always answering ` +
      `${name(commonest)}, the commonest class, would find ${percent(baseline.balancedAccuracy)}.`,
  );
  showNeglected(terminal, verdict);
  if (weakest !== null && lost.length + belowChance.length === 0) {
    terminal.say(`Its weakest class is ${name(weakest.name)}, of which it finds ${percent(weakest.recall)}.`);
  }
  showAdvice(terminal, folder, verdict.advice);
}

/** Says which of several methods is best, whether that may be luck, which classes it neglects, and what to try. */
export function showComparisonVerdict(terminal: Terminal, verdict: ComparisonVerdict): void {
  const { best, balancedAccuracy, against, run } = verdict;
  if (against !== null) {
    const title = terminal.style('bold', `Best: ${printable(best)}.`);
    terminal.say(
      `${title} On average it finds ${percent(balancedAccuracy)} of a class${printable(leadText(verdict))}.`,
    );
  }
  showNeglected(terminal, verdict);
  showAdvice(terminal, run, verdict.advice);
}

function showNeglected(terminal: Terminal, { lost, belowChance, chance }: NeglectedClasses): void {
  const bold = (title: string) => terminal.style('bold', title);
  if (lost.length > 0) {
    const title = lost.length === 1 ? 'One class is lost:' : `${lost.length} classes are lost:`;
    const instances = lost.map(({ name: lostName, test }) => `${name(lostName)} (${count(test)} in the test set)`);
    terminal.say(`${bold(title)} no test instance is found of ${listed(instances)}.`);
  }
  if (belowChance.length > 0) {
    const shares = belowChance.map(
      ({ name: weakName, recall, test }: ClassRecall) => `${name(weakName)} (${percent(recall)} of ${count(test)})`,
    );
    terminal.say(`${bold(`Found less often than by guessing (${percent(chance)}):`)} ${listed(shares)}.`);
  }
}

function showAdvice(terminal: Terminal, folder: string, advice: readonly Advice[]): void {
  if (advice.length === 0) return;
  const again = commandLine('train', '--config', join(folder, RUN_FILES.config));
  terminal.say(`Try ${printable(again)} with`);
  const words = advice.map(({ flags }) => flags.map(quoted).join(' '));
  const widest = Math.max(...words.map(({ length }) => length));
  for (const [i, { reason }] of advice.entries()) terminal.say(`  ${at(words, i).padEnd(widest)}  ${reason}`);
}

function name(given: string): string {
  return `"${fit(printable(given), NAME_COLUMNS)}"`;
}

function listed(parts: readonly string[]): string {
  const shown = parts.slice(0, NAMED).join(', ');
  return parts.length > NAMED ? `${shown} and ${parts.length - NAMED} more` : shown;
}
