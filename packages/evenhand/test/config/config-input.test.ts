import { describe, expect, expectTypeOf, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import type { ConfigInput } from '../../src/config/schema.js';
import type { MethodName } from '../../src/methods/registry.js';
import type { train } from '../../src/training/train.js';

const data = { source: 'table.csv', target: 'class' };

describe('a ConfigInput', () => {
  it('has the options of every method, with their types', () => {
    type Named<Name> = Extract<NonNullable<ConfigInput['method']>, { name: Name }>;
    expectTypeOf<Named<'class-balanced'>['beta']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Named<'ldam'>['scale']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<number>().toExtend<Named<'enhancement'>['enhancementRate']>();
    const config: ConfigInput = {
      data,
      method: { name: 'enhancement', enhancementRate: { kind: 'warm-up', rate: 3, epochs: 5 }, updatingRate: 0.2 },
    };
    expect(parseConfig(config).method).toEqual(config.method);
  });

  it('may leave out the name of a section, which has the options of the default kind then', () => {
    const config: ConfigInput = {
      data,
      model: { hidden: [8] },
      method: { enhancementRate: 5 },
      loss: {},
      optimizer: { learningRate: 0.01 },
      schedule: { warmUpEpochs: 2 },
    };
    expect(parseConfig(config)).toMatchObject({
      model: { name: 'mlp', hidden: [8] },
      method: { name: 'enhancement', enhancementRate: 5 },
      loss: { name: 'cross-entropy' },
      optimizer: { name: 'adamw', learningRate: 0.01 },
      schedule: { name: 'cosine', warmUpEpochs: 2 },
    });
  });

  it('takes a name that is only known later', () => {
    const configOf = (name: MethodName): ConfigInput => ({ data, method: { name } });
    expect(parseConfig(configOf('ldam')).method).toMatchObject({ name: 'ldam', scale: 30 });
    expectTypeOf<typeof train>().parameter(0).toEqualTypeOf<ConfigInput>();
  });

  it('is what parseConfig gives', () => {
    const config = parseConfig({ data });
    expectTypeOf(config).toExtend<ConfigInput>();
    expect(parseConfig(config)).toEqual(config);
  });
});

/** Each is a compile error, and refused at run time too. */
const MISTAKES: readonly [what: string, config: ConfigInput, message: string][] = [
  // @ts-expect-error -- one-hot labels have no options
  ["an option of another method's", { data, method: { name: 'one-hot', beta: 0.9 } }, 'unknown option "beta"'],
  // @ts-expect-error -- the default method has no τ
  ['an option of another kind, without a name', { data, method: { tau: 1 } }, 'unknown option "tau"'],
  // @ts-expect-error -- a misspelt option
  ['a misspelt option', { data, method: { enhancementRates: 1 } }, 'did you mean "enhancementRate"?'],
  // @ts-expect-error -- a rate is no text
  ['a wrong type', { data, method: { name: 'ldam', scale: '30' } }, 'method.scale is "30"; expected a number'],
  // @ts-expect-error -- momentum belongs to sgd
  ['an option of another optimizer', { data, optimizer: { momentum: 0.9 } }, 'unknown option "momentum"'],
  // @ts-expect-error -- there is no such model
  ['an unknown name', { data, model: { name: 'resnet99' } }, 'model.name is "resnet99"'],
  // @ts-expect-error -- a schedule in steps needs its steps
  ['a missing option', { data, schedule: { name: 'multi-step' } }, 'schedule.milestones is missing'],
];

describe('a mistake in a ConfigInput', () => {
  it.each(MISTAKES)('%s', (_, config, message) => {
    expect(() => parseConfig(config)).toThrow(message);
  });
});
