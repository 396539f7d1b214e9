import { expect, it } from 'vitest';
import { distanceKernel } from './distance-kernel.js';

it('the bytes in the package are those of the kernel that is written here; --update writes them anew', async () => {
  const hexadecimal = Array.from(distanceKernel(), (byte) => byte.toString(16).padStart(2, '0')).join('');
  await expect(
    `// Written by test/kernel/kernel-bytes.test.ts.\nexport const KERNEL_BYTES =\n  '${hexadecimal}';\n`,
  ).toMatchFileSnapshot('../../src/neighbours/kernel-bytes.ts');
});
