/** Before the names of tensors that belong to the method, not to the network. */
const PREFIX = 'method/';

/** A list of numbers that a method remembers. */
export interface MethodTensor {
  readonly shape: readonly [number];
  readonly data: Float64Array<ArrayBuffer>;
}

/** What a method remembers, in the two ways in which a checkpoint can hold it. */
export interface DividedMethod {
  /** Without its lists of numbers, if it is an object. */
  readonly json: unknown;
  readonly tensors: ReadonlyMap<string, MethodTensor>;
}

/**
 * Takes the lists of numbers out of what a method remembers: a generator matrix of thousands of classes is far too long for the JSON of a
 * checkpoint. As float64 every number survives exactly.
 */
export function divideMethod(method: unknown): DividedMethod {
  if (typeof method !== 'object' || method === null || Array.isArray(method))
    return { json: method, tensors: new Map() };
  const json: [string, unknown][] = [];
  const tensors = new Map<string, MethodTensor>();
  for (const [key, value] of Object.entries(method)) {
    if (isNumbers(value)) tensors.set(`${PREFIX}${key}`, { shape: [value.length], data: Float64Array.from(value) });
    else json.push([key, value]);
  }
  return { json: Object.fromEntries(json), tensors };
}

/** What {@link divideMethod} was given. Where there are no such tensors, as in checkpoints of version 1, all of it is in the JSON. */
export function joinMethod({ json, tensors }: DividedMethod): unknown {
  if (tensors.size === 0 || typeof json !== 'object') return json;
  const numbers = Array.from(tensors, ([name, { data }]) => [name.slice(PREFIX.length), Array.from(data)] as const);
  return { ...json, ...Object.fromEntries(numbers) };
}

/** Whether a tensor of a checkpoint belongs to the method. */
export function isOfMethod(name: string): boolean {
  return name.startsWith(PREFIX);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');
}
