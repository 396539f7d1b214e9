import { UserError } from 'evenhand';
import { expect, it } from 'vitest';
import { variantHash } from '../../src/seven-tables/fold-job.js';
import { foldRange, keysOf, variantsOf } from '../../src/seven-tables/selection.js';

it('of folds is a range or a single one', () => {
  expect(foldRange()).toEqual([0, 1, 2, 3, 4]);
  expect(foldRange('1-2')).toEqual([1, 2]);
  expect(foldRange('3')).toEqual([3]);
  for (const text of ['5', '3-7', '2-1', 'all']) {
    expect(() => foldRange(text)).toThrow(
      new UserError(`--folds is "${text}"; expected a fold from 0 to 4, or a range such as 0-1`),
    );
  }
});

it('has the same fold of all tables one after the other', () => {
  expect(keysOf(['a', 'b'], 1, [2, 3]).map(({ table, fold }) => `${table}${fold}`)).toEqual(['a2', 'b2', 'a3', 'b3']);
});

it('of configurations is the default, or those that are given with names', () => {
  expect(variantsOf([])).toEqual(new Map([['evenhand', {}]]));
  expect(variantsOf(['evenhand, wide={"model":{"name":"mlp","hidden":[256]}}', 'evenhand={}'])).toEqual(
    new Map([
      ['evenhand, wide', { model: { name: 'mlp', hidden: [256] } }],
      ['evenhand', {}],
    ]),
  );
  expect(variantHash({ model: { name: 'mlp', hidden: [256] } })).not.toBe(variantHash({}));
});

it.each([
  ['wide', '--variant is "wide"; expected a name and options as JSON'],
  ['wide={,}', '--variant wide: '],
  ['wide={"modle":{}}', '--variant wide: the configuration: unknown option "modle"'],
])('refuses the configuration %s', (text, message) => {
  expect(() => variantsOf([text])).toThrow(UserError);
  expect(() => variantsOf([text])).toThrow(message);
});
