// Client of a server started by `npx evenhand serve runs/fraud`: node predict-over-http.ts http://127.0.0.1:8080 rows.json
// Node 22.18 and newer run TypeScript as it is; older versions need it compiled. If the server requires a token, set EVENHAND_TOKEN.
import { readFile } from 'node:fs/promises';

interface Answers {
  readonly predictions: readonly {
    readonly class: string;
    readonly probabilities?: Readonly<Record<string, number>>;
  }[];
  readonly notes: readonly string[];
}

/** Asks for predictions; a busy server answers 503 and says when to retry. */
async function predict(address: string, rows: string, token: string | undefined): Promise<Answers> {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  for (;;) {
    const response = await fetch(`${address}/predict`, { method: 'POST', headers, body: rows });
    if (response.ok) return response.json();
    const { error } = await response.json();
    if (response.status !== 503) throw new Error(`${response.status}: ${error.message}`);
    const seconds = Number(response.headers.get('Retry-After') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

const [address = 'http://127.0.0.1:8080', file = 'rows.json'] = process.argv.slice(2);
const { predictions, notes } = await predict(address, await readFile(file, 'utf8'), process.env.EVENHAND_TOKEN);
for (const prediction of predictions) console.log(prediction.class, prediction.probabilities);
for (const note of notes) console.warn(note);
