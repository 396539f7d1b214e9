import type { TestEvaluation } from '../../../runs/evaluation-file.js';
import { inPercent } from '../../../wording/numbers.js';
import { formatTable } from '../../terminal/table.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Shows what a model is mixed of, if it is of several members. */
export function showPortfolio(terminal: Terminal, { portfolio }: TestEvaluation): void {
  if (portfolio === undefined) return;
  terminal.say();
  terminal.say(
    formatTable(
      [
        { title: 'member', align: 'left' },
        { title: 'weight %' },
        { title: 'balanced accuracy, out of fold %' },
        { title: 'epochs' },
      ],
      portfolio.map(({ name, weight, balancedAccuracy, epochs, leftOut }) => [
        name,
        inPercent(weight),
        balancedAccuracy === null ? '–' : inPercent(balancedAccuracy),
        leftOut ?? String(epochs),
      ]),
      (title) => terminal.style('bold', title),
    ),
  );
}
