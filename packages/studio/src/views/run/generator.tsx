import type { GeneratorFrames, RunDetails } from 'evenhand/studio';
import { useState } from 'preact/hooks';
import { Figure } from '../../parts/figure.js';
import { short } from '../../parts/format.js';
import { Fault, Loading } from '../../parts/notices.js';
import { useAnswer } from '../../parts/use-answer.js';

const SIDE = 360;
/** Classes up to which their names stand beside the matrix. */
const NAMED = 16;
const ROOM = 110;
const LONGEST = 14;

interface GeneratorProps {
  readonly details: RunDetails;
  /** Epochs so far: the matrices are asked for again when there are more. */
  readonly epochs: number;
}

/** The generator matrix over the epochs, with a slider for the time. */
export function Generator({ details: { run, classes, members }, epochs }: GeneratorProps) {
  const [member, setMember] = useState(members[0]);
  const address = `/api/runs/${run.id}/generators${member === undefined ? '' : `?member=${encodeURIComponent(member)}`}`;
  const { answer, fault } = useAnswer<GeneratorFrames>(address, epochs);
  const choice =
    members.length < 2 ? null : (
      <label>
        member{' '}
        <select value={member} onChange={({ currentTarget }) => setMember(currentTarget.value)}>
          {members.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    );
  if (fault !== undefined) return <Fault message={fault} />;
  if (answer === undefined) return <Loading what="Reading the generator matrices" />;
  if (answer.most === 0)
    return <p class="note">This method leaves the labels one-hot: the generator matrix is the identity.</p>;
  const order = [...answer.classes.keys()].sort((a, b) => (classes?.training[b] ?? 0) - (classes?.training[a] ?? 0));
  return (
    <>
      {choice}
      <Frames answer={answer} order={order} />
    </>
  );
}

function Frames({
  answer: { classes, frames, most },
  order,
}: {
  readonly answer: GeneratorFrames;
  readonly order: readonly number[];
}) {
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const index = Math.min(chosen ?? frames.length - 1, frames.length - 1);
  const frame = frames[index];
  if (frame === undefined) return null;
  const places = new Map(order.map((p, place) => [p, place]));
  const size = SIDE / order.length;
  const left = order.length <= NAMED ? ROOM : 12;
  const cells = cellsOf(frame.entries);
  const nameOf = (p: number) => {
    const name = classes[p] ?? '';
    return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
  };
  return (
    <Figure
      title="How the labels are encoded"
      caption="The generator matrix minus the identity. Each row is a true class, from the commonest to the rarest; each column is a class of its label. Blue on the diagonal is the extra weight of a neglected class, orange off the diagonal is what is taken from the classes that it is confused with."
    >
      <p class="slider">
        <label>
          epoch {frame.epoch}{' '}
          <input
            type="range"
            min={0}
            max={frames.length - 1}
            value={index}
            aria-label="Epoch"
            aria-valuetext={`epoch ${frame.epoch}`}
            onInput={({ currentTarget }) => setChosen(currentTarget.valueAsNumber)}
          />
        </label>
        <span class="ramp-legend">
          −{short(Number(most.toPrecision(2)))} <span class="ramp changes" /> +{short(Number(most.toPrecision(2)))}
        </span>
      </p>
      <svg
        class="chart matrix"
        role="img"
        aria-label={`Generator matrix of epoch ${frame.epoch}, minus the identity`}
        viewBox={`0 0 ${left + SIDE + 2} ${SIDE + 2}`}
        width={left + SIDE + 2}
        height={SIDE + 2}
      >
        {left === ROOM
          ? order.map((p, place) => (
              <text key={p} x={left - 8} y={(place + 0.5) * size + 1} dy="0.32em" text-anchor="end" fill="currentColor">
                {nameOf(p)}
              </text>
            ))
          : null}
        {cells.map(({ row, column, change }) => (
          <rect
            key={`${row} ${column}`}
            x={left + (places.get(column) ?? 0) * size + 1}
            y={(places.get(row) ?? 0) * size + 1}
            width={size}
            height={size}
            fill={change > 0 ? 'var(--heat)' : 'var(--below)'}
            fill-opacity={Math.min(1, Math.abs(change) / most)}
          >
            <title>{`${classes[row]} → ${classes[column]}: ${change > 0 ? '+' : ''}${short(change)}`}</title>
          </rect>
        ))}
        <rect x={left + 1} y={1} width={SIDE} height={SIDE} fill="none" stroke="currentColor" stroke-opacity={0.4} />
      </svg>
    </Figure>
  );
}

function cellsOf(entries: readonly number[]) {
  return Array.from({ length: entries.length / 3 }, (_, i) => ({
    row: entries[3 * i] ?? 0,
    column: entries[3 * i + 1] ?? 0,
    change: entries[3 * i + 2] ?? 0,
  }));
}
