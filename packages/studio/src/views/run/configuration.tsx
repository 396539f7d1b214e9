import type { RunDetails } from 'evenhand/studio';
import { CopyBox } from '../../parts/copy-box.js';
import { Values } from '../../parts/values.js';

/** What the run was told, what it ran on, and the command that does it again. */
export function Configuration({ details: { command, config, environment, run } }: { readonly details: RunDetails }) {
  return (
    <>
      <h2>Train it again</h2>
      <CopyBox label="Command that trains it again" text={command} />
      <Values title="Configuration" name={run.name} values={config} />
      <Values title="Environment" name={run.name} values={environment} />
    </>
  );
}
