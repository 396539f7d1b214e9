import type { RunNotes, RunSummary } from 'evenhand/studio';
import { useState } from 'preact/hooks';
import { messageOf, send } from '../../server/api.js';

/** What a person writes about a run: tags and a note, kept beside the run's folder. */
export function Notes({ run }: { readonly run: RunSummary }) {
  const [tags, setTags] = useState(run.tags.join(', '));
  const [note, setNote] = useState(run.note);
  const [saved, setSaved] = useState('');
  const save = async (event: Event) => {
    event.preventDefault();
    const content: RunNotes = {
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
      note,
    };
    setSaved('saving…');
    await send<RunNotes>('PUT', `/api/runs/${run.id}/notes`, content).then(
      () => setSaved('saved'),
      (error: unknown) => setSaved(messageOf(error)),
    );
  };
  return (
    <form class="notes" onSubmit={(event) => void save(event)}>
      <label>
        Tags
        <input
          value={tags}
          placeholder="baseline, to publish"
          onInput={({ currentTarget }) => setTags(currentTarget.value)}
        />
      </label>
      <label>
        Note
        <textarea rows={2} value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
      </label>
      <p>
        <button type="submit">Save</button> <span role="status">{saved}</span>
      </p>
    </form>
  );
}
