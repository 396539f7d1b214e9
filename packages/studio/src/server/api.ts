import type { Failure } from 'evenhand/studio';

/** What the server says is wrong, for people. */
class ServerError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Asks the server. */
export async function ask<Answer>(address: string, options: RequestInit = {}): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address, options);
  } catch {
    throw new ServerError('The studio does not answer. Is it still running in the terminal?', 0);
  }
  if (!response.ok) throw new ServerError(await reasonOf(response), response.status);
  return response.json();
}

/** Sends JSON to the server. */
export function send<Answer>(method: 'POST' | 'PUT', address: string, content: unknown): Promise<Answer> {
  return ask<Answer>(address, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  });
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.status === 403) {
    return 'The studio no longer knows this browser. Open the newest address in the terminal.';
  }
  try {
    const failure: Partial<Failure> = JSON.parse(text);
    return failure.error ?? text;
  } catch {
    return text;
  }
}

/** What to say of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
