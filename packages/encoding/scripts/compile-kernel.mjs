// Compiles src/kernel/kernel.wat into src/kernel/kernel-binary.ts, so that users need neither a file loader nor wabt.
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const source = new URL('../src/kernel/kernel.wat', import.meta.url);

export async function compileKernel() {
  const { parseWat } = await wabt();
  return parseWat('kernel.wat', readFileSync(source, 'utf8'), { simd: true }).toBinary({}).buffer;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const bytes = await compileKernel();
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) {
    lines.push(`  '${Buffer.from(bytes.subarray(i, i + 32)).toString('hex')}',`);
  }
  writeFileSync(
    new URL('kernel-binary.ts', source),
    `// Generated from kernel.wat by \`npm run kernel\`; do not edit.\nexport const KERNEL_BINARY: string = [\n${lines.join('\n')}\n].join('');\n`,
  );
  console.log(`kernel-binary.ts: ${bytes.length} bytes of WebAssembly`);
}
