import { CLASSES, doubled, halved } from '../points.js';
import { PRESETS } from '../presets.js';
import {
  type Brush,
  brush,
  changePoints,
  counts,
  isPaused,
  points,
  presetId,
  startAgain,
  usePreset,
} from '../state.js';
import { ClassMark } from './class-mark.jsx';

/** Where points come from: presets, brushes, and how many of each class there are. */
export function Toolbar() {
  return (
    <div class="toolbar">
      <fieldset class="presets">
        <legend>Start from</legend>
        {PRESETS.map(({ id, name }) => (
          <button key={id} type="button" aria-pressed={presetId.value === id} onClick={() => usePreset(id)}>
            {name}
          </button>
        ))}
        <button type="button" onClick={() => changePoints([])}>
          Nothing
        </button>
      </fieldset>
      <fieldset class="brushes">
        <legend>Paint in any square</legend>
        {CLASSES.map((name, label) => (
          <ClassTools key={name} name={name} label={label} />
        ))}
        <BrushButton tool="eraser">
          <span aria-hidden="true">⌫</span> eraser
        </BrushButton>
      </fieldset>
      <fieldset class="training">
        <legend>Training</legend>
        <button type="button" class="primary" onClick={startAgain}>
          Start again
        </button>
        <button type="button" aria-pressed={isPaused.value} onClick={() => (isPaused.value = !isPaused.value)}>
          Pause
        </button>
      </fieldset>
    </div>
  );
}

function BrushButton({ tool, children }: { readonly tool: Brush; readonly children: preact.ComponentChildren }) {
  return (
    <button type="button" class="brush" aria-pressed={brush.value === tool} onClick={() => (brush.value = tool)}>
      {children}
    </button>
  );
}

function ClassTools({ name, label }: { readonly name: string; readonly label: number }) {
  const count = counts.value[label] ?? 0;
  return (
    <span class="class-tools">
      <BrushButton tool={label}>
        <ClassMark label={label} /> {name} <span class="count">{count}</span>
      </BrushButton>
      <button
        type="button"
        title={`Remove every second one of the ${name}`}
        disabled={count < 2}
        onClick={() => changePoints(halved(points.value, label))}
      >
        ½ <span class="sr-only">of the {name}</span>
      </button>
      <button
        type="button"
        title={`Add another one next to each of the ${name}`}
        disabled={count === 0 || count > MOST_POINTS / 2}
        onClick={() => changePoints(doubled(points.value, label))}
      >
        ×2 <span class="sr-only">the {name}</span>
      </button>
    </span>
  );
}

const MOST_POINTS = 2000;
