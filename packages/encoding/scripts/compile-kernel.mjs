// Compiles src/kernel/kernel.wat into src/kernel/kernel-binary.ts, so that users need neither a file loader nor wabt.
// With --check it writes nothing and fails if the two differ.
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const source = new URL('../src/kernel/kernel.wat', import.meta.url);
const target = new URL('kernel-binary.ts', source);

const { parseWat } = await wabt();
const { buffer } = parseWat('kernel.wat', readFileSync(source, 'utf8'), { simd: true }).toBinary({});
const lines = [];
for (let i = 0; i < buffer.length; i += 32) {
  lines.push(`  '${Buffer.from(buffer.subarray(i, i + 32)).toString('hex')}',\n`);
}
const module = `// Generated from kernel.wat by \`npm run kernel\`; do not edit.
export const KERNEL_BINARY: string = [\n${lines.join('')}].join('');\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, module);
  console.log(`kernel-binary.ts: ${buffer.length} bytes of WebAssembly`);
} else if (readFileSync(target, 'utf8') !== module) {
  console.error('kernel-binary.ts is not what kernel.wat compiles to; run: npm run kernel -w packages/encoding');
  process.exit(1);
}
