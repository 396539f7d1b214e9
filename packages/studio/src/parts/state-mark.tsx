import type { RunState } from 'evenhand/studio';

/** What has become of a run: a word, and a colour and shape that repeat it. */
export function StateMark({ state, label = state }: { readonly state: RunState; readonly label?: string }) {
  return (
    <span class={`state ${state}`}>
      <span class="dot" aria-hidden="true" />
      {label}
    </span>
  );
}
