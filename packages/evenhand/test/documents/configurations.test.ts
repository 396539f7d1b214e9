import { expect, it } from 'vitest';
import { documentBlocks } from '../../../../test/documents.js';
import { parseConfig } from '../../src/config/parse.js';

it.each(documentBlocks().filter(({ language, code }) => language === 'json' && code.includes('"data"')))(
  '$name is a configuration',
  ({ code }) => {
    expect(() => parseConfig(JSON.parse(code))).not.toThrow();
  },
);
