import type { ModelForm, TriedPrediction } from 'evenhand/studio';
import { useState } from 'preact/hooks';
import { addressOf } from '../../navigation/route.js';
import { Fault, Loading } from '../../parts/notices.js';
import { useAnswer } from '../../parts/use-answer.js';
import { ask, messageOf, send } from '../../server/api.js';
import { runs } from '../../server/run-store.js';
import { PredictionResult } from './prediction-result.js';

type TableForm = Extract<ModelForm, { kind: 'table' }>;

/** Asks a run's model about a row, or an image, of one's own. */
export function TryView({ id }: { readonly id: string }) {
  const { answer: form, fault } = useAnswer<ModelForm>(`/api/runs/${id}/model`);
  const [result, setResult] = useState<TriedPrediction | undefined>(undefined);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const predict = (work: () => Promise<TriedPrediction>) => {
    setSaid(undefined);
    work().then(setResult, (error: unknown) => setSaid(messageOf(error)));
  };
  const name = runs.value?.get(id)?.name ?? 'the run';
  return (
    <>
      <p class="trail">
        <a href={addressOf(['runs'])}>Runs</a> / <a href={addressOf(['runs', id])}>{name}</a> / <span>try</span>
      </p>
      <h1>Try the model</h1>
      {fault === undefined ? null : <Fault message={fault} />}
      {form === undefined && fault === undefined ? <Loading what="Opening the model" /> : null}
      {form?.kind === 'table' ? <RowForm id={id} form={form} predict={predict} /> : null}
      {form?.kind === 'images' ? <ImageForm id={id} shape={form.shape} predict={predict} /> : null}
      {said === undefined ? null : <Fault message={said} />}
      {result === undefined ? null : <PredictionResult result={result} />}
    </>
  );
}

interface FormProps {
  readonly id: string;
  predict(work: () => Promise<TriedPrediction>): void;
}

function RowForm({ id, form, predict }: FormProps & { readonly form: TableForm }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const data = new FormData(event.currentTarget);
    const row = Object.fromEntries(
      form.columns.map(({ name, kind }, i) => {
        const text = String(data.get(String(i)) ?? '').trim();
        if (text === '') return [name, null];
        const value = Number(text);
        return [name, kind === 'numeric' && !Number.isNaN(value) ? value : text];
      }),
    );
    predict(() => send<TriedPrediction>('POST', `/api/runs/${id}/predict`, { row }));
  };
  return (
    <form class="fields" onSubmit={submit}>
      <p class="note">
        Fields that are left empty count as missing. The grey numbers are the medians of the training rows.
      </p>
      <div class="field-grid">
        {form.columns.map(({ name, kind, values, fill }, i) => (
          <div class="field" key={name}>
            <label for={`field-${i}`}>
              <bdi>{name}</bdi>
            </label>
            {values.length > 0 ? (
              <select id={`field-${i}`} name={String(i)}>
                <option value="">(missing)</option>
                {values.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </select>
            ) : (
              <input
                id={`field-${i}`}
                name={String(i)}
                inputMode={kind === 'numeric' ? 'decimal' : 'text'}
                placeholder={kind === 'date' ? '2026-05-01' : fill}
              />
            )}
          </div>
        ))}
      </div>
      <p>
        <button type="submit" class="primary">
          Predict
        </button>
      </p>
    </form>
  );
}

function ImageForm({ id, shape, predict }: FormProps & { readonly shape: readonly number[] }) {
  const [picture, setPicture] = useState<string | undefined>(undefined);
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    if (picture !== undefined) URL.revokeObjectURL(picture);
    setPicture(URL.createObjectURL(file));
    predict(() => ask<TriedPrediction>(`/api/runs/${id}/predict-image`, { method: 'POST', body: file }));
  };
  return (
    <section
      class="drop"
      aria-label="Image to predict"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files[0]);
      }}
    >
      {picture === undefined ? null : <img src={picture} alt="What the model was asked about" />}
      <p>
        <label>
          Drop an image here, or choose one:{' '}
          <input type="file" accept="image/*" onChange={({ currentTarget }) => take(currentTarget.files?.[0])} />
        </label>
      </p>
      <p class="note">It is scaled and cropped to {shape.slice(1).join(' × ')} pixels, as in training.</p>
    </section>
  );
}
