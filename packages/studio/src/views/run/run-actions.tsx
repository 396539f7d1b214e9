import type { RunDetails } from 'evenhand/studio';
import { useState } from 'preact/hooks';
import { addressOf } from '../../navigation/route.js';
import { messageOf, send } from '../../server/api.js';

/** What can be done with a run: stop it, go on with it, try its model. */
export function RunActions({ details: { run, canStop, canResume, hasModel } }: { readonly details: RunDetails }) {
  const [said, setSaid] = useState('');
  const ask = (what: 'stop' | 'resume', meanwhile: string) => () => {
    setSaid(meanwhile);
    send('POST', `/api/runs/${run.id}/${what}`, {}).catch((error: unknown) => setSaid(messageOf(error)));
  };
  return (
    <p class="actions">
      {canStop && run.state === 'running' ? (
        <button type="button" onClick={ask('stop', 'saving a checkpoint…')}>
          Stop
        </button>
      ) : null}
      {canResume && run.state === 'stopped' ? (
        <button type="button" class="primary" onClick={ask('resume', 'resuming…')}>
          Resume
        </button>
      ) : null}
      {hasModel ? (
        <a class="button" href={addressOf(['try', run.id])}>
          Try the model
        </a>
      ) : null}
      <span role="status" class="note">
        {run.state === 'finished' ? '' : said}
      </span>
    </p>
  );
}
