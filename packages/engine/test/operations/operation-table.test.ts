import { expect, it } from 'vitest';
import { operationTable } from './operation-table.js';

it('docs/operations.md is what the registry and the samples say', async () => {
  // Out of date? node packages/engine/scripts/operation-table.mjs
  await expect(operationTable()).toMatchFileSnapshot('../../docs/operations.md');
});
