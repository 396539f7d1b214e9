/** A value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object, with its keys and values. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Deeper than anything that is written on purpose, and not so deep that following it by recursion ends at the stack's end. */
const DEEPEST = 100;

/**
 * Parses JSON that must not be ambiguous: a key that is there twice, of which `JSON.parse` would keep the last, and the key
 * `__proto__`, with which a careless copy changes the prototype of objects, are errors. So are more than 100 objects and lists
 * inside each other.
 *
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  checkTokens(text);
  return value;
}

/** Longer values are cut in messages. */
const SHOWN = 60;

/** A value as a message shows it, not longer than people read. */
export function shownJson(value: JsonValue | undefined): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}

/** Whether a value is an object, neither an array nor null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Walks over the tokens of text that is known to be JSON; a text before a colon is a key. */
function checkTokens(json: string): void {
  const open: Set<string>[] = [];
  for (let i = 0; i < json.length; i++) {
    if (json[i] === '{' || json[i] === '[') {
      open.push(new Set());
      if (open.length > DEEPEST)
        throw new SyntaxError(`it has more than ${DEEPEST} objects and lists inside each other`);
    } else if (json[i] === '}' || json[i] === ']') open.pop();
    else if (json[i] === '"') {
      const [start, end] = [i, endOfText(json, i)];
      if (isBeforeColon(json, end)) checkKey(JSON.parse(json.slice(start, end)), open.at(-1));
      i = end - 1;
    }
  }
}

function checkKey(name: string, known: Set<string> | undefined): void {
  if (name === '__proto__') throw new SyntaxError('the key "__proto__" is not allowed');
  if (known?.has(name)) throw new SyntaxError(`the key ${shownJson(name)} is there twice`);
  known?.add(name);
}

/** The place behind the quote that ends a text. No regular expression: some remember every character of a long text. */
function endOfText(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== '"') i += json[i] === '\\' ? 2 : 1;
  return i + 1;
}

const COLON = /\s*:/y;

function isBeforeColon(json: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(json);
}
