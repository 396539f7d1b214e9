import type { TriedPrediction } from 'evenhand/studio';
import { counted, percent } from '../../parts/format.js';

/** Classes that are shown. */
const MOST = 20;

/** What a model answers: the class, how sure it is, and which test instances look alike to it. */
export function PredictionResult({
  result: { label, probabilities, notes, similar },
}: {
  readonly result: TriedPrediction;
}) {
  return (
    <section aria-label="Answer" aria-live="polite">
      <h2>
        Answer: <bdi>{label}</bdi>
      </h2>
      {notes.length === 0 ? null : (
        <details class="note">
          <summary>{counted(notes.length, 'note')}</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
      <table class="probabilities">
        <thead>
          <tr>
            <th scope="col">class</th>
            <th scope="col">probability</th>
            <th scope="col" class="text">
              <span class="sr-only">as a bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {probabilities.slice(0, MOST).map(({ name, probability }) => (
            <tr key={name}>
              <th scope="row" class={name === label ? 'best' : ''}>
                <bdi>{name}</bdi>
              </th>
              <td>{percent(probability)}</td>
              <td class="text">
                <svg width="200" height="12" viewBox="0 0 200 12" aria-hidden="true">
                  <rect width={Math.max(1, 200 * probability)} height="12" rx="2" fill="var(--heat)" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {probabilities[0]?.name === label ? null : (
        <p class="note">
          The answer is not the likeliest class: the model’s answers are fitted to an objective, such as balanced
          accuracy.
        </p>
      )}
      <h3>Test instances with the most similar probabilities</h3>
      <table class="probabilities">
        <thead>
          <tr>
            <th scope="col">instance</th>
            <th scope="col" class="text">
              is
            </th>
            <th scope="col" class="text">
              answered
            </th>
            <th scope="col">distance</th>
          </tr>
        </thead>
        <tbody>
          {similar.map(({ instance, label: own, answer, distance }) => (
            <tr key={instance}>
              <th scope="row">{instance}</th>
              <td class="text">{own}</td>
              <td class="text">{answer}</td>
              <td>{distance.toFixed(3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">By the Hellinger distance between the probabilities: 0 means identical, 1 nothing in common.</p>
    </section>
  );
}
