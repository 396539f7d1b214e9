import { type MethodName, methods } from 'evenhand/config';
import { bestOf, type MeasuredMethods } from './measured-methods.js';

/** What a method is like, for the questions of the chart. */
type Kind = (name: MethodName) => boolean;

const measures: Kind = (name) => methods[name].measures === true;
const resamples: Kind = (name) => methods[name].changes === 'rows';
const others: Kind = (name) => !measures(name) && !resamples(name);

/** Questions, as a Mermaid chart. The methods in it are the best of their kind, as measured. */
export function flowChart({ methods: measured }: MeasuredMethods): string {
  const best = (kind: Kind) => {
    const own = measured.filter(({ name }) => kind(name));
    const onTables = bestOf(own, ({ tables }) => tables);
    const onImages = bestOf(own, ({ images }) => images);
    return `tables: ${onTables?.name ?? 'not measured yet'}<br>images: ${onImages?.name ?? 'not measured yet'}`;
  };
  return [
    '```mermaid',
    'flowchart TD',
    '  costs{"Do you know what each mistake costs?"}',
    '  costs -- yes --> decide["the default method, and answers for these costs<br>(--objective)"]',
    '  costs -- no --> change{"Can you change the loss or the labels?"}',
    `  change -- "no, only the data" --> rows["${best(resamples)}"]`,
    '  change -- yes --> measure{"Can you measure during training: with folds, or with instances of every class held out?"}',
    `  measure -- yes --> measuring["measuring methods<br>${best(measures)}"]`,
    `  measure -- "in any case" --> plain["other methods<br>${best(others)}"]`,
    '```',
    '',
    'The methods at the ends are the best of their kind, by mean rank on the tables and by top-1 accuracy on long-tailed MNIST.',
  ].join('\n');
}
