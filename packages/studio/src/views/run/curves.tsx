import type { EpochLine, RunDetails } from 'evenhand/studio';
import { LineChart, type Series } from '../../charts/line-chart.js';
import { Figure } from '../../parts/figure.js';
import { Legend } from '../../parts/legend.js';
import { Loading } from '../../parts/notices.js';
import type { EpochLines } from '../../server/epoch-lines.js';

/** Classes that get a curve each: the rarest, which is what this is about, and the commonest to compare with. */
const MOST_CLASSES = 10;

interface CurvesProps {
  readonly details: RunDetails;
  readonly lines: EpochLines;
}

/** How training went so far, epoch by epoch; of a portfolio, a line for every member. */
export function Curves({ details, lines }: CurvesProps) {
  const { members, run } = details;
  const own = lines.get('') ?? [];
  const shown: (readonly [name: string, lines: readonly EpochLine[]])[] =
    own.length > 0 || members.length === 0 ? [['', own]] : members.map((name) => [name, lines.get(name) ?? []]);
  const isEmpty = shown.every(([, epochs]) => epochs.length === 0);
  if (isEmpty && run.state === 'running') return <Loading what="Waiting for the first epoch" />;
  if (isEmpty)
    return run.epochs.done > 0 ? <Loading what="Reading the epochs" /> : <p class="note">No epoch was completed.</p>;
  const loss = shown.map(
    ([name, epochs], i): Series => ({
      id: `${name} loss`,
      name: name || 'training loss',
      colour: i,
      points: epochs.map(({ epoch, loss: value }) => [epoch, value]),
    }),
  );
  const soft = shown.map(
    ([name, epochs], i): Series => ({
      id: `${name} soft`,
      name: name || 'soft accuracy',
      colour: i,
      points: validationPoints(epochs, 'softAccuracy'),
    }),
  );
  const hard =
    shown.length > 1
      ? []
      : shown.map(
          ([, epochs]): Series => ({
            id: 'accuracy',
            name: 'accuracy',
            colour: 1,
            points: validationPoints(epochs, 'accuracy'),
          }),
        );
  const validation = [...soft, ...hard].filter(({ points }) => points.length > 0);
  const [, first = []] = shown.length === 1 ? (shown[0] ?? []) : [];
  return (
    <div class="charts">
      <Figure title="Loss" caption="With encoded labels the loss may fall below zero.">
        <Legend series={loss} />
        <LineChart label="Training loss over epochs" quantity="mean training loss" series={loss} />
      </Figure>
      {validation.length === 0 ? null : (
        <Figure
          title="Validation"
          caption="Soft accuracy is the mean probability of the right class, with all classes counting equally."
        >
          <Legend series={validation} />
          <LineChart
            label="Soft accuracy and accuracy on the validation set over epochs"
            quantity="share"
            series={validation}
            shares
            marked={run.best === null ? [] : [run.best.epoch]}
          />
        </Figure>
      )}
      <RecallCurves details={details} lines={first} />
    </div>
  );
}

function RecallCurves({
  details: { classes },
  lines,
}: {
  readonly details: RunDetails;
  readonly lines: readonly EpochLine[];
}) {
  if (classes === null || !lines.some(({ validation }) => validation !== null)) return null;
  const bySize = classes.names.map((_, p) => p).sort((a, b) => (classes.training[a] ?? 0) - (classes.training[b] ?? 0));
  const shown = bySize.length <= MOST_CLASSES ? bySize : [...bySize.slice(0, MOST_CLASSES - 1), ...bySize.slice(-1)];
  const series = shown.map(
    (p, i): Series => ({
      id: String(p),
      name: classes.names[p] ?? '',
      colour: i,
      points: lines.flatMap(({ epoch, validation }) => {
        const recall = validation?.softRecall[p];
        return recall == null ? [] : [[epoch, recall] as const];
      }),
    }),
  );
  return (
    <Figure
      title="Recall per class"
      caption={`Soft recall on the validation set: the mean probability of a class over its own instances. Rarest class first${shown.length < bySize.length ? ', and the commonest last' : ''}.`}
    >
      <Legend series={series} />
      <LineChart label="Soft recall of every class over epochs" quantity="soft recall" series={series} shares />
    </Figure>
  );
}

function validationPoints(
  epochs: readonly EpochLine[],
  key: 'softAccuracy' | 'accuracy',
): (readonly [number, number])[] {
  return epochs.flatMap(({ epoch, validation }) => (validation === null ? [] : [[epoch, validation[key]] as const]));
}
