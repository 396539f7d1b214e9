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
        'What the paper says about its experiments, in our words, and what our runs say. “So far”: rows ' +
          'or some of five seeds are missing; “partly”: in some of the cases, or less than stated. Ahead is a mean over the seeds ' +
          'that both methods have, be it by chance, as long as it can be seen in two decimals.',
      ),
      {
        kind: 'list',
        items: statements.map(({ claim, measured, verdict }) => [{ strong: `${verdict}:` }, ` ${claim} → ${measured}`]),
      },
    ],
  };
}
