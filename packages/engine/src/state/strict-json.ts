/** A value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object, with its keys and values. */
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * Parses JSON that must not be ambiguous: a key that is there twice, of which `JSON.parse` would keep the last, and the key
 * `__proto__`, with which a careless copy changes the prototype of objects, are errors.
 *
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  checkKeys(text);
  return value;
}

/** Whether a value is an object, neither an array nor null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Walks over the tokens of text that is known to be JSON; a text before a colon is a key. */
function checkKeys(text: string): void {
  const objects: Set<string>[] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (key !== undefined) {
      const name: string = JSON.parse(key);
      if (name === '__proto__') throw new SyntaxError('the key "__proto__" is not allowed');
      if (objects.at(-1)?.has(name)) throw new SyntaxError(`the key ${JSON.stringify(name)} is there twice`);
      objects.at(-1)?.add(name);
    }
  }
}
