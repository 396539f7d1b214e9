import type { RunState } from 'evenhand/studio';

/** What has become of a run: a word, and a colour and shape that repeat it. */
export function StateMark({ state }: { readonly state: RunState }) {
  return (
    <span class={`state ${state}`}>
      <span class="dot" aria-hidden="true" />
      {state}
    </span>
  );
}
