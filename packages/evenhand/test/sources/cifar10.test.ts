import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cifar10Records, readCifar10 } from '../../src/sources/cifar10.js';
import { dataFolder } from '../../src/sources/data-folder.js';

describe('readCifar10', () => {
  it('reads the original files', async (context) => {
    if (!existsSync(join(dataFolder(), 'cifar-10-batches-bin'))) context.skip(`CIFAR-10 is not in ${dataFolder()}`);
    const { kind, name, classNames, shape, labels, pixels, officialTest } = await readCifar10();
    expect({ kind, name, shape }).toEqual({ kind: 'images', name: 'cifar10', shape: [3, 32, 32] });
    // A frog, two trucks, a deer, a car; for testing a cat, two ships, an aeroplane: as everybody's first figure shows.
    expect(Array.from(labels.subarray(0, 5), (label) => classNames[label])).toEqual([
      'frog',
      'truck',
      'truck',
      'deer',
      'automobile',
    ]);
    expect(Array.from(labels.subarray(50_000, 50_004), (label) => classNames[label])).toEqual([
      'cat',
      'ship',
      'ship',
      'airplane',
    ]);
    expect(officialTest).toEqual(Int32Array.from({ length: 10_000 }, (_, i) => 50_000 + i));
    // Its published means of red, green and blue over the training images.
    const means = [0, 1, 2].map((channel) => {
      let sum = 0;
      for (let i = 0; i < 50_000; i++) {
        const start = i * 3072 + channel * 1024;
        for (let pixel = start; pixel < start + 1024; pixel++) sum += pixels[pixel] ?? 0;
      }
      return sum / (50_000 * 1024 * 255);
    });
    expect(means[0]).toBeCloseTo(0.4914, 4);
    expect(means[1]).toBeCloseTo(0.4822, 4);
    expect(means[2]).toBeCloseTo(0.4465, 4);
  });

  it('says how to get it', async () => {
    const folder = join(tmpdir(), 'evenhand-absent');
    await expect(readCifar10(folder)).rejects.toThrow(
      `CIFAR-10 is not in ${join(folder, 'cifar-10-batches-bin')}. Call fetchDataset('cifar10'), or download`,
    );
  });

  it('refuses a file that is not the original', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evenhand-cifar10-'));
    const file = join(folder, 'cifar-10-batches-bin', 'data_batch_1.bin');
    mkdirSync(join(folder, 'cifar-10-batches-bin'));
    writeFileSync(file, 'abc');
    // The SHA-256 of "abc" is the example of FIPS 180-2.
    await expect(readCifar10(folder)).rejects.toThrow(
      `${file} is missing, damaged or another file: its SHA-256 is ` +
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad, expected cee91656',
    );
    rmSync(folder, { recursive: true });
  });
});

describe('cifar10Records', () => {
  it('puts the label before planes of red, green and blue', () => {
    // Pixel k of image i is red k mod 256, green 100 + i, blue 200.
    const rows = Uint8Array.from({ length: 2 * 3072 }, (_, at) => {
      const [image, pixel, channel] = [Math.floor(at / 3072), Math.floor((at % 3072) / 3), at % 3];
      return [pixel % 256, 100 + image, 200][channel] ?? 0;
    });
    const records = cifar10Records([6, 9], rows);
    expect(records).toHaveLength(2 * 3073);
    const second = records.subarray(3073);
    expect([records[0], second[0]]).toEqual([6, 9]);
    expect([...second.subarray(1, 1025)]).toEqual(Array.from({ length: 1024 }, (_, k) => k % 256));
    expect(new Set(second.subarray(1025, 2049))).toEqual(new Set([101]));
    expect(new Set(second.subarray(2049))).toEqual(new Set([200]));
  });
});
