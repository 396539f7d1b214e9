import { Explanation } from './parts/explanation.jsx';
import { LabelMatrix } from './parts/label-matrix.jsx';
import { MethodCard } from './parts/method-card.jsx';
import { RateSlider } from './parts/slider.jsx';
import { Toolbar } from './parts/toolbar.jsx';
import { PRESETS } from './presets.js';
import { counts, isPaused, isTrainable, points, presetId, rates, snapshot, status } from './state.js';

/** The whole page. */
export function Playground() {
  return (
    <main class="playground">
      <header>
        <h1>Evenhand playground</h1>
        <p class="lead">
          Paint points of two or three classes, make one of them rare, and watch three networks learn them, here in the
          page.
        </p>
      </header>
      <Toolbar />
      <Hint />
      <Methods />
      <StatusLine />
      <Explanation />
    </main>
  );
}

/** What to look at. */
function Hint() {
  const preset = PRESETS.find(({ id }) => id === presetId.value);
  return (
    <p class="hint-line">
      {preset?.hint ?? 'Your own points. After every change, the networks continue training from where they are.'}
    </p>
  );
}

function StatusLine() {
  const epoch = snapshot.value?.epoch;
  return (
    <p class="status" data-state={status.value.kind}>
      <span role="status">{statusText()}</span>
      {epoch === undefined ? undefined : <span class="epoch">epoch {epoch}</span>}
    </p>
  );
}

function statusText(): string {
  const now = status.value;
  if (now.kind === 'failed') return `The networks cannot be trained: ${now.reason}`;
  if (now.kind === 'loading') return 'Loading ONNX Runtime, 5 MB …';
  if (!isTrainable.value) return points.value.length === 0 ? 'Paint some points.' : 'Paint points of a second class.';
  if (isPaused.value) return 'Paused.';
  return now.kind === 'training' ? 'Training …' : 'Finished. Paint, or move a slider, and training continues.';
}

function Methods() {
  const now = snapshot.value;
  const classes = now?.classes ?? [0, 1];
  const identity = classes.flatMap((_, p) => classes.map((__, q) => (p === q ? 1 : 0)));
  return (
    <div class="methods" data-epoch={now?.epoch ?? 0}>
      <MethodCard method="one-hot" title="One-hot labels" what="Ordinary training.">
        <LabelMatrix caption="Labels" classes={classes} values={identity} />
      </MethodCard>
      <MethodCard method="enhancement" title="Enhancement encoding" what="Labels react to confusion.">
        <LabelMatrix caption="Labels now: the generator matrix" classes={classes} values={now?.generator ?? identity} />
        <RateSlider rate="enhancementRate" symbol="ε" name="strength" most={12} step={0.1} />
        <RateSlider rate="updatingRate" symbol="μ" name="speed" least={0.01} most={1} step={0.01} />
      </MethodCard>
      <MethodCard method="logit-adjustment" title="Logit adjustment" what="Compensates for class frequencies.">
        <LabelMatrix
          caption="Added to the outputs in training"
          classes={classes}
          rows={['all']}
          values={offsets(classes)}
        />
        <RateSlider rate="adjustment" symbol="τ" name="strength" most={2} step={0.05} />
      </MethodCard>
    </div>
  );
}

/** `τ·log π`, of the points that there are. */
function offsets(classes: readonly number[]): number[] {
  const own = classes.map((label) => counts.value[label] ?? 0);
  const total = own.reduce((sum, count) => sum + count, 0);
  return own.map((count) => rates.value.adjustment * Math.log(Math.max(count, 1) / Math.max(total, 1)));
}
