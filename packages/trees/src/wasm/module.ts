import { type Bytes, name, section, unsigned, vector } from './encoding.js';
import { VALUE_TYPES, type ValueType } from './instructions.js';

/** A variable of a function. */
export class Local {
  constructor(
    readonly type: ValueType,
    private readonly index: number,
  ) {}

  /** Its value. */
  get value(): Bytes {
    return [0x20, ...unsigned(this.index)];
  }

  /** Gives it a value. */
  set(value: Bytes): Bytes {
    return [...value, 0x21, ...unsigned(this.index)];
  }

  /** Gives it a value that is also the value of this expression. */
  tee(value: Bytes): Bytes {
    return [...value, 0x22, ...unsigned(this.index)];
  }
}

/** A function that is being written: parameters first, then other variables, then the body. */
export class FunctionWriter {
  readonly #locals: Local[] = [];
  #parameters = 0;

  constructor(
    readonly name: string,
    readonly result?: ValueType,
  ) {}

  parameter(type: ValueType): Local {
    this.#parameters++;
    return this.local(type);
  }

  local(type: ValueType): Local {
    const local = new Local(type, this.#locals.length);
    this.#locals.push(local);
    return local;
  }

  get type(): Bytes {
    const parameters = this.#locals.slice(0, this.#parameters).map(({ type }) => [VALUE_TYPES[type]]);
    return [0x60, ...vector(parameters), ...vector(this.result === undefined ? [] : [[VALUE_TYPES[this.result]]])];
  }

  /** Variables and body, as the module stores them. */
  code(body: Bytes): Bytes {
    const locals = this.#locals.slice(this.#parameters).map(({ type }) => [1, VALUE_TYPES[type]]);
    const content = [...vector(locals), ...body, 0x0b];
    return [...unsigned(content.length), ...content];
  }
}

/** A function with its body. */
export interface WrittenFunction {
  readonly writer: FunctionWriter;
  readonly body: Bytes;
}

/** A module of functions over one memory, which is imported: `env.memory`. */
export function wasmModule(
  functions: readonly WrittenFunction[],
  memory: { readonly pages: number; readonly shared: boolean },
): Uint8Array<ArrayBuffer> {
  const limits = [memory.shared ? 0x03 : 0x01, ...unsigned(memory.pages), ...unsigned(memory.pages)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(functions.map(({ writer }) => writer.type))),
    ...section(2, vector([[...name('env'), ...name('memory'), 0x02, ...limits]])),
    ...section(3, vector(functions.map((_, i) => unsigned(i)))),
    ...section(7, vector(functions.map(({ writer }, i) => [...name(writer.name), 0x00, ...unsigned(i)]))),
    ...section(10, vector(functions.map(({ writer, body }) => writer.code(body)))),
  ]);
}
