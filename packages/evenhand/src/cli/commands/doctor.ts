import { arch, cpus, freemem, platform, release, totalmem } from 'node:os';
import { createModel, createProgram, crossEntropy, DeviceError, sgd } from '@evenhand/engine';
import { detectTarget, loadRuntime, Trainer } from '@evenhand/engine/node';
import type { Command } from 'commander';
import { defaultThreads } from '../../config/parse.js';
import { packageVersion } from '../../package-version.js';
import { describeEnvironment } from '../../runs/environment.js';
import { dataFolder } from '../../sources/data-folder.js';
import { UserError } from '../../user-error.js';
import { count } from '../../wording/numbers.js';
import { addExamples, addOutputOptions, terminalOf } from '../options/define-command.js';
import { formatTable, type TableColumn } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

/** Milliseconds of training. */
const PROBE = 1000;
const BATCH = 128;
const GIGABYTE = 2 ** 30;
const INSTALL = 'ONNXRUNTIME_NODE_INSTALL=skip npm install evenhand';

/** `evenhand doctor`. */
export function defineDoctor(command: Command): Command {
  addExamples(command, ['doctor', 'doctor --json']);
  addOutputOptions(command);
  return command.action(async () => {
    const terminal = terminalOf(command);
    const machine = thisMachine();
    const runtime = await loadRuntime().catch((error: unknown) => {
      if (!(error instanceof DeviceError)) throw error;
      showFound(terminal, [...rowsOf(machine), ['ONNX Runtime', 'cannot be loaded']]);
      throw new UserError(error.message, { cause: error });
    });
    const { channelBlock } = await detectTarget();
    const found = {
      ...machine,
      onnxRuntime: describeEnvironment(machine.threads, { name: '', contentHash: '' }).onnxRuntime,
      devices: runtime.listSupportedBackends?.().map(({ name }) => name) ?? [],
      channelBlock,
      imagesPerSecond: Math.round(await trainingSpeed(machine.threads)),
    };
    showFound(terminal, [
      ...rowsOf(machine),
      ['ONNX Runtime', found.onnxRuntime],
      ['devices', found.devices.join(', ')],
      ['blocked convolutions', found.channelBlock === null ? 'no' : `yes, ${found.channelBlock} channels`],
      ['LeNet-5, batch 128', `${count(found.imagesPerSecond)} images/s`],
    ]);
    if (platform() === 'linux' && arch() === 'x64') {
      terminal.say();
      terminal.say(`To install on another machine like this: ${INSTALL}`);
      terminal.say(
        'Without the variable, ONNX Runtime downloads CUDA libraries, which only a GPU needs, from outside npm.',
      );
    }
    terminal.json(found);
  });
}

function thisMachine() {
  return {
    evenhand: packageVersion(new URL('../../../package.json', import.meta.url)),
    node: process.versions.node,
    platform: `${platform()} ${release()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    threads: defaultThreads(),
    memory: { free: freemem(), total: totalmem() },
    dataFolder: dataFolder(),
  };
}

function rowsOf({ evenhand, node, platform, processor, threads, memory, dataFolder }: ReturnType<typeof thisMachine>) {
  return [
    ['evenhand', evenhand],
    ['Node', node],
    ['platform', platform],
    ['processor', processor],
    ['threads', String(threads)],
    ['memory', `${(memory.free / GIGABYTE).toFixed(1)} of ${(memory.total / GIGABYTE).toFixed(1)} GB free`],
    ['data folder', dataFolder],
  ];
}

function showFound(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  const columns: TableColumn[] = [
    { title: 'what', align: 'left' },
    { title: 'found', align: 'left' },
  ];
  terminal.say(formatTable(columns, rows, (title) => terminal.style('bold', title)));
}

/** Training images a second, of noise: the time does not depend on what they show. */
async function trainingSpeed(threads: number): Promise<number> {
  const program = createProgram(createModel('lenet5', { input: [1, 28, 28], classes: 10 }), {
    batchSize: BATCH,
    inputType: 'uint8',
    normalisation: { mean: [0.13], std: [0.31] },
    labels: 'indices',
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
    target: await detectTarget(),
    seed: 0,
  });
  const trainer = await Trainer.start(program, { threads });
  const input = Uint8Array.from({ length: BATCH * 28 * 28 }, (_, i) => (i * 7919) % 256);
  const labels = Int32Array.from({ length: BATCH }, (_, i) => i % 10);
  const step = (i: number) => trainer.step({ input, labels, learningRate: 0.01, step: i });
  await step(0); // the first one also allocates
  const start = performance.now();
  let steps = 0;
  while (performance.now() - start < PROBE) await step(++steps);
  const seconds = (performance.now() - start) / 1000;
  await trainer.close();
  return (steps * BATCH) / seconds;
}
