import { accuracyStatements } from './accuracy-statements.js';
import { paragraph, type Section } from './document.js';
import { figureStatements } from './figure-statements.js';
import type { RowMaps } from './output-maps.js';
import type { ResultTable } from './results.js';
import type { Statement } from './statement.js';

/** Every statement of the paper's experiments that can be checked, with what our runs say. */
export function statementsOf(tables: readonly ResultTable[], maps: readonly RowMaps[]): Statement[] {
  return [
    ...accuracyStatements(tables),
    ...figureStatements(tables, maps),
    {
      claim: 'Batch normalisation before the softmax helps enhancement and allows a higher ε.',
      measured: 'Every network here has that layer, as in the paper; none was trained without it.',
      verdict: 'not measured',
    },
  ];
}

/** The statements, each with its verdict. */
export function statementsSection(statements: readonly Statement[]): Section {
  return {
    heading: 'The paper’s statements, as numbers',
    blocks: [
      paragraph(
        'What the paper says about its experiments, in our words, and what our runs say. “Ahead” and “behind” mean p < 0.05 in the paired t-test over the seeds that both methods ' +
          'have, after Holm’s correction for the number of comparisons in the table; otherwise we cannot tell. ' +
          'A statement about every row agrees if all rows are ahead, and disagrees if one is behind. A table with planned rows or seeds missing gets no verdict.',
      ),
      {
        kind: 'list',
        items: statements.map(({ claim, measured, verdict }) => [{ strong: `${verdict}:` }, ` ${claim} → ${measured}`]),
      },
    ],
  };
}
