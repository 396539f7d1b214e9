import type { SearchedOption, SweepDetails, SweepTrial } from 'evenhand/studio';
import { useState } from 'preact/hooks';
import { niceRange, ticks } from '../../charts/ticks.js';
import { Figure } from '../../parts/figure.js';
import { percent } from '../../parts/format.js';
import { cellOf, cellsOf, cellText, labelsOf, shareOf } from './scales.js';

const WIDTH = 560;
const HEIGHT = 260;

/** The scores of all trials in the order in which they came, and the best so far. */
export function History({ details: { trials } }: { readonly details: SweepDetails }) {
  const scored = trials.flatMap((trial, i) =>
    trial.score === null ? [] : [{ ...trial, score: trial.score, place: i + 1 }],
  );
  const [low, high] = niceRange(scored.map(({ score }) => score));
  const toX = (place: number) => 48 + ((place - 1) / Math.max(1, trials.length - 1)) * (WIDTH - 64);
  const toY = (score: number) => HEIGHT - 36 - ((score - low) / (high - low)) * (HEIGHT - 60);
  let best = Number.NEGATIVE_INFINITY;
  const steps = scored.map(({ place, score, isComplete }) => {
    if (isComplete) best = Math.max(best, score);
    return [place, best] as const;
  });
  const path = steps
    .filter(([, score]) => Number.isFinite(score))
    .map(
      ([place, score], i) =>
        `${i === 0 ? 'M' : 'H'}${i === 0 ? `${toX(place)} ${toY(score)}` : `${toX(place)}V${toY(score)}`}`,
    )
    .join('');
  return (
    <Figure
      title="History"
      caption="All trials in the order of their results. Filled: trained to the end; open: stopped early. The line is the best so far."
    >
      <svg
        class="chart"
        role="img"
        aria-label="Scores of the trials in their order; the table has the numbers"
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      >
        {ticks(low, high, 5).map((score) => (
          <g key={score}>
            <line x1={48} x2={WIDTH - 16} y1={toY(score)} y2={toY(score)} stroke="currentColor" stroke-opacity={0.12} />
            <text x={42} y={toY(score)} dy="0.32em" text-anchor="end" fill="currentColor">
              {`${Math.round(1000 * score) / 10} %`}
            </text>
          </g>
        ))}
        <text x={48} y={14} fill="currentColor">
          validation soft accuracy
        </text>
        <text x={WIDTH - 16} y={HEIGHT - 8} text-anchor="end" fill="currentColor">
          trials
        </text>
        <path d={path} fill="none" stroke="var(--series-1)" stroke-width={1.6} />
        {scored.map(({ trial, place, score, isComplete }) => (
          <circle
            key={trial}
            cx={toX(place)}
            cy={toY(score)}
            r={4}
            fill={isComplete ? 'var(--series-0)' : 'var(--page)'}
            stroke="var(--series-0)"
            stroke-width={1.6}
          >
            <title>{`trial ${trial}: ${percent(score)}`}</title>
          </circle>
        ))}
      </svg>
    </Figure>
  );
}

/** How many trials came to each rung, and how many were stopped there. */
export function Rungs({ details: { trials } }: { readonly details: SweepDetails }) {
  const epochs = [...new Set(trials.map(({ epoch }) => epoch))].sort((a, b) => a - b);
  if (epochs.length < 2) return null;
  const counts = epochs.map((epoch) => ({
    epoch,
    ended: trials.filter((trial) => trial.epoch === epoch).length,
    reached: trials.filter((trial) => trial.epoch >= epoch).length,
  }));
  return (
    <Figure title="Rungs" caption="How many trials reached each number of epochs, and how many of them continued.">
      <svg
        class="chart"
        role="img"
        aria-label={counts.map(({ epoch, reached }) => `${reached} trials reached ${epoch} epochs`).join(', ')}
        width={WIDTH}
        height={24 + 34 * counts.length}
        viewBox={`0 0 ${WIDTH} ${24 + 34 * counts.length}`}
      >
        {counts.map(({ epoch, ended, reached }, i) => {
          const full = WIDTH - 150;
          const width = (full * reached) / Math.max(1, trials.length);
          return (
            <g key={epoch}>
              <text x={90} y={34 * i + 22} text-anchor="end" fill="currentColor">
                {epoch} epochs
              </text>
              <rect x={100} y={34 * i + 8} width={width} height={20} fill="var(--heat)" fill-opacity={0.25} />
              <rect
                x={100}
                y={34 * i + 8}
                width={(width * (reached - ended)) / Math.max(1, reached)}
                height={20}
                fill="var(--heat)"
              />
              <text x={108 + width} y={34 * i + 22} fill="currentColor">
                {reached}
              </text>
            </g>
          );
        })}
      </svg>
    </Figure>
  );
}

/** The best score for every pair of values of two options. */
export function ScoreMap({ details: { search, trials } }: { readonly details: SweepDetails }) {
  const [columnPath, setColumn] = useState(search[0]?.path ?? '');
  const [rowPath, setRow] = useState(search[1]?.path ?? '');
  const column = search.find(({ path }) => path === columnPath);
  const row = search.find(({ path }) => path === rowPath);
  if (column === undefined || row === undefined) return null;
  const best = bestByCell(column, row, trials);
  const scores = [...best.values()];
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const [columns, rows] = [cellsOf(column), cellsOf(row)];
  const cell = { width: Math.min(90, (WIDTH - 130) / columns), height: 34 };
  const shade = (score: number) => (high > low ? 0.12 + (0.88 * (score - low)) / (high - low) : 0.6);
  const choice = (label: string, value: string, set: (path: string) => void) => (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {search.map(({ path }) => (
          <option key={path}>{path}</option>
        ))}
      </select>
    </label>
  );
  return (
    <Figure
      title="Two options"
      caption="The best soft accuracy of the trials in each cell, in per cent; ranges are divided into six."
    >
      <p class="slider">
        {choice('across', columnPath, setColumn)}
        {choice('down', rowPath, setRow)}
      </p>
      <svg
        class="chart"
        role="img"
        aria-label={`Best scores by ${columnPath} and ${rowPath}`}
        width={WIDTH}
        height={rows * cell.height + 30}
        viewBox={`0 0 ${WIDTH} ${rows * cell.height + 30}`}
      >
        {Array.from({ length: rows }, (_, r) => (
          <text key={r} x={122} y={(r + 0.5) * cell.height} dy="0.32em" text-anchor="end" fill="currentColor">
            {cellText(row, r)}
          </text>
        ))}
        {[...best].map(([key, score]) => {
          const [c = 0, r = 0] = key.split(' ').map(Number);
          return (
            <g key={key}>
              <rect
                x={130 + c * cell.width}
                y={r * cell.height}
                width={cell.width}
                height={cell.height}
                fill="var(--heat)"
                fill-opacity={shade(score)}
              />
              <text
                x={130 + (c + 0.5) * cell.width}
                y={(r + 0.5) * cell.height}
                dy="0.32em"
                text-anchor="middle"
                fill={shade(score) > 0.6 ? 'var(--on-heat)' : 'currentColor'}
              >
                {(100 * score).toFixed(1)}
              </text>
            </g>
          );
        })}
        <rect
          x={130}
          y={0}
          width={columns * cell.width}
          height={rows * cell.height}
          fill="none"
          stroke="currentColor"
          stroke-opacity={0.4}
        />
        {Array.from({ length: columns }, (_, c) => (
          <text
            key={c}
            x={130 + (c + 0.5) * cell.width}
            y={rows * cell.height + 18}
            text-anchor="middle"
            fill="currentColor"
            font-size={columns > 4 ? 9 : 12}
          >
            {cellText(column, c)}
          </text>
        ))}
      </svg>
    </Figure>
  );
}

function bestByCell(column: SearchedOption, row: SearchedOption, trials: readonly SweepTrial[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const { values, score } of trials) {
    const [c, r] = [cellOf(column, values[column.path]), cellOf(row, values[row.path])];
    if (c === null || r === null || score === null) continue;
    const key = `${c} ${r}`;
    best.set(key, Math.max(best.get(key) ?? score, score));
  }
  return best;
}

/** Every trial as a line over all options and its score: what good ones have in common. */
export function ParallelCoordinates({ details: { search, trials } }: { readonly details: SweepDetails }) {
  const scored = trials
    .flatMap((trial) => (trial.score === null ? [] : [{ ...trial, score: trial.score }]))
    .sort((a, b) => a.score - b.score);
  if (scored.length === 0) return null;
  const [low, high] = [scored[0]?.score ?? 0, scored.at(-1)?.score ?? 1];
  const axes = search.length + 1;
  const toX = (axis: number) => 60 + (axis / (axes - 1)) * (WIDTH - 120);
  const toY = (share: number) => HEIGHT - 30 - share * (HEIGHT - 70);
  const shareOfScore = (score: number) => (high > low ? (score - low) / (high - low) : 0.5);
  return (
    <Figure
      title="Parallel coordinates"
      caption="One line per trial, from its values to its score. The best fifth is orange."
    >
      <svg
        class="chart"
        role="img"
        aria-label="Values and scores of all trials; the table has the numbers"
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      >
        {scored.map(({ trial, values, score }, i) => {
          const points = search.map((option, axis) => `${toX(axis)},${toY(shareOf(option, values[option.path]) ?? 0)}`);
          const isBest = i >= 0.8 * scored.length;
          return (
            <polyline
              key={trial}
              points={[...points, `${toX(axes - 1)},${toY(shareOfScore(score))}`].join(' ')}
              fill="none"
              stroke={isBest ? 'var(--series-1)' : 'var(--series-0)'}
              stroke-opacity={isBest ? 0.95 : 0.35}
              stroke-width={isBest ? 2 : 1.2}
            />
          );
        })}
        {[
          ...search.map((option) => ({ title: option.path.replace(/^.*\./, ''), labels: labelsOf(option) })),
          {
            title: 'soft accuracy',
            labels: [
              { share: 0, text: percent(low) },
              { share: 1, text: percent(high) },
            ],
          },
        ].map(({ title, labels }, axis) => (
          <g key={title}>
            <line x1={toX(axis)} x2={toX(axis)} y1={toY(0)} y2={toY(1)} stroke="currentColor" stroke-opacity={0.5} />
            <text x={toX(axis)} y={20} text-anchor="middle" fill="currentColor">
              {title}
            </text>
            {labels.map(({ share, text }) => (
              <text
                key={text}
                x={toX(axis) - 6}
                y={toY(share)}
                dy="0.32em"
                text-anchor="end"
                fill="currentColor"
                font-size={10}
              >
                {text}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </Figure>
  );
}
