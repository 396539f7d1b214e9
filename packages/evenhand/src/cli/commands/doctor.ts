import { arch, cpus, freemem, platform, release, totalmem } from 'node:os';
import { createModel, createProgram, crossEntropy, sgd } from '@evenhand/engine';
import { detectTarget, Trainer } from '@evenhand/engine/node';
import type { Command } from 'commander';
import { listSupportedBackends } from 'onnxruntime-node';
import { defaultThreads } from '../../config/parse.js';
import { describeEnvironment } from '../../runs/environment.js';
import { dataFolder } from '../../sources/data-folder.js';
import { count } from '../../wording/numbers.js';
import { addExamples, addOutputOptions, terminalOf } from '../options/define-command.js';
import { formatTable } from '../terminal/table.js';

/** Milliseconds of training. */
const PROBE = 1000;
const BATCH = 128;
const GIGABYTE = 2 ** 30;

/** `evenhand doctor`. */
export function defineDoctor(command: Command): Command {
  addExamples(command, ['doctor', 'doctor --json']);
  addOutputOptions(command);
  return command.action(async () => {
    const terminal = terminalOf(command);
    const threads = defaultThreads();
    const { evenhand, onnxRuntime, node } = describeEnvironment(threads, { name: '', contentHash: '' });
    const { channelBlock } = await detectTarget();
    const found = {
      evenhand,
      node,
      platform: `${platform()} ${release()} ${arch()}`,
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      threads,
      memory: { free: freemem(), total: totalmem() },
      onnxRuntime,
      devices: listSupportedBackends().map(({ name }) => name),
      channelBlock,
      dataFolder: dataFolder(),
      imagesPerSecond: Math.round(await trainingSpeed(threads)),
    };
    const rows = [
      ['evenhand', found.evenhand],
      ['Node', found.node],
      ['platform', found.platform],
      ['processor', found.processor],
      ['threads', String(found.threads)],
      [
        'memory',
        `${(found.memory.free / GIGABYTE).toFixed(1)} of ${(found.memory.total / GIGABYTE).toFixed(1)} GB free`,
      ],
      ['ONNX Runtime', found.onnxRuntime],
      ['devices', found.devices.join(', ')],
      ['blocked convolutions', found.channelBlock === null ? 'no' : `yes, ${found.channelBlock} channels`],
      ['data folder', found.dataFolder],
      ['LeNet-5, batch 128', `${count(found.imagesPerSecond)} images/s`],
    ];
    terminal.say(
      formatTable(
        [
          { title: 'what', align: 'left' },
          { title: 'found', align: 'left' },
        ],
        rows,
        (title) => terminal.style('bold', title),
      ),
    );
    terminal.json(found);
  });
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
