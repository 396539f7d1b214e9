import type { Environment } from '../runs/environment.js';

/** What the last digits of the results depend on. */
const DECISIVE = ['evenhand', 'onnxRuntime', 'system', 'processor', 'channelBlock'];

/** What a person should be told if a run goes on elsewhere than it began. */
export function environmentNotes(begun: Environment, now: Environment): string[] {
  const changed = DECISIVE.filter((name) => begun[name] !== now[name]);
  if (changed.length === 0) return [];
  const list = changed.map((name) => `${name} ${begun[name]} then, ${now[name]} now`);
  return [
    `The run continues in a different environment from the one it began in (${list.join('; ')}): its numbers may differ in their last digits ` +
      'from those of a run without a pause.',
  ];
}
