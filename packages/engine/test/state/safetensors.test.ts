import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/state/checksum.js';
import { readSafetensors, writeSafetensors } from '../../src/state/safetensors.js';
import { SafetensorsError, type StoredTensor, type StoredTensors } from '../../src/state/stored-tensor.js';

const text = (value: string) => new TextEncoder().encode(value);

/** A file written by hand: a header and some bytes of data. */
function file(header: string, dataLength = 0): Uint8Array {
  const bytes = new Uint8Array(8 + text(header).length + dataLength);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text(header).length), true);
  bytes.set(text(header), 8);
  return bytes;
}

function headerOf(bytes: Uint8Array): string {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  return new TextDecoder().decode(bytes.subarray(8, 8 + length));
}

const shapes = fc.array(fc.nat({ max: 4 }), { maxLength: 3 });
const tensor: fc.Arbitrary<StoredTensor> = shapes.chain((shape) => {
  const length = shape.reduce((a, b) => a * b, 1);
  const size = { minLength: length, maxLength: length };
  return fc
    .oneof(
      fc.float32Array(size),
      fc.float64Array(size),
      fc.bigInt64Array(size),
      fc.int32Array(size),
      fc.uint16Array(size),
      fc.uint8Array(size),
    )
    .map((data) => ({ shape, data }));
});
const names = fc.string({ unit: 'binary' }).filter((name) => !['__proto__', '__metadata__', 'checksum'].includes(name));
const tensorMaps: fc.Arbitrary<StoredTensors> = fc
  .array(fc.tuple(names, tensor), { maxLength: 5 })
  .map((e) => new Map(e));
const metadataMaps = fc.array(fc.tuple(names, fc.string()), { maxLength: 3 }).map((entries) => new Map(entries));

const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

describe('writing and reading', () => {
  it('gives back every tensor and text', () => {
    fc.assert(
      fc.property(tensorMaps, metadataMaps, (tensors, metadata) => {
        const read = readSafetensors(writeSafetensors(tensors, metadata), { requireChecksum: true });
        expect(sorted(read.tensors)).toEqual(sorted(tensors));
        expect(sorted(read.metadata)).toEqual(sorted(metadata));
      }),
    );
  });

  it('gives back texts of many megabytes, quotes and backslashes among them', () => {
    const metadata = new Map([
      ['numbers', '0.123456789,'.repeat(1_000_000)],
      ['quotes', '"\\'.repeat(5_000_000)],
    ]);
    expect(readSafetensors(writeSafetensors(new Map(), metadata)).metadata).toEqual(metadata);
  });

  it('gives the same bytes whatever the order', () => {
    fc.assert(
      fc.property(tensorMaps, metadataMaps, (tensors, metadata) => {
        const reversed = writeSafetensors(new Map([...tensors].reverse()), new Map([...metadata].reverse()));
        expect(reversed).toEqual(writeSafetensors(tensors, metadata));
      }),
    );
  });

  it('is the format as it is specified: length, JSON padded with spaces, data aligned', () => {
    const tensors = new Map<string, StoredTensor>([
      ['b', { shape: [3], data: Uint8Array.of(7, 8, 9) }],
      ['a', { shape: [1, 2], data: Float32Array.of(1, -2) }],
      ['1', { shape: [], data: BigInt64Array.of(5n) }],
    ]);
    const bytes = writeSafetensors(tensors, new Map([['epoch', '3']]));
    const header = headerOf(bytes);
    expect(header.length % 8).toBe(0);
    expect(header.trimEnd()).toMatch(
      /^\{"__metadata__":\{"checksum":"crc32:[0-9a-f]{8}","epoch":"3"\},"1":\{"dtype":"I64","shape":\[\],"data_offsets":\[0,8\]\},"a":\{"dtype":"F32","shape":\[1,2\],"data_offsets":\[8,16\]\},"b":\{"dtype":"U8","shape":\[3\],"data_offsets":\[16,19\]\}\}$/,
    );
    const data = bytes.slice(8 + header.length);
    expect([...data]).toEqual([5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 192, 7, 8, 9]);
  });

  it('reads what another tool wrote, without a checksum, at any alignment', () => {
    const bytes = file('{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}', 8);
    bytes.set(new Uint8Array(Float32Array.of(1.5, -4).buffer), bytes.length - 8);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(readSafetensors(shifted.subarray(3)).tensors.get('w')).toEqual({
      shape: [2],
      data: Float32Array.of(1.5, -4),
    });
    expect(() => readSafetensors(bytes, { requireChecksum: true })).toThrow(/it has no checksum/);
  });
});

describe('fault 3: damage', () => {
  const tensors = new Map<string, StoredTensor>([
    ['layer/weight', { shape: [3, 4], data: Float32Array.from({ length: 12 }, (_, i) => i / 3) }],
    ['step', { shape: [], data: BigInt64Array.of(1234n) }],
  ]);
  const metadata = new Map([['version', '1']]);
  const intact = writeSafetensors(tensors, metadata);
  const read = (bytes: Uint8Array) => readSafetensors(bytes, { requireChecksum: true, source: 'last.safetensors' });

  it('of any single bit is found', () => {
    for (let bit = 0; bit < intact.length * 8; bit++) {
      const damaged = intact.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => read(damaged), `bit ${bit}`).toThrow(SafetensorsError);
    }
  });

  it('of any bytes is found', () => {
    const changes = fc.array(fc.tuple(fc.nat({ max: intact.length - 1 }), fc.nat({ max: 255 })), { minLength: 1 });
    fc.assert(
      fc.property(changes, (list) => {
        const damaged = intact.slice();
        for (const [position, byte] of list) damaged[position] = byte;
        if (Buffer.compare(damaged, intact) === 0) expect(read(damaged)).toEqual(read(intact));
        else expect(() => read(damaged)).toThrow(SafetensorsError);
      }),
      { numRuns: 500 },
    );
  });

  it('by cutting off or appending is found', () => {
    for (let length = 0; length < intact.length; length++) {
      expect(() => read(intact.subarray(0, length)), `${length} bytes`).toThrow(SafetensorsError);
    }
    expect(() => read(Uint8Array.of(...intact, 0))).toThrow(/belong to no tensor/);
  });

  it('is reported with the name of the file', () => {
    const damaged = intact.slice();
    damaged[intact.length - 1] = 255;
    expect(() => read(damaged)).toThrow(
      /^last\.safetensors cannot be read: its checksum is crc32:\w{8}, expected crc32:\w{8}: it is damaged; use an earlier copy$/,
    );
  });
});

describe('a file that is refused', () => {
  const F = (offsets: string, shape = '[1]') => `{"dtype":"F32","shape":${shape},"data_offsets":${offsets}}`;
  it.each([
    ['empty', new Uint8Array(), 'it has 0 bytes; expected at least 8: it is cut off or empty'],
    [
      'with a header beyond its end',
      file('{}').subarray(0, 9),
      'its header claims 2 bytes, but only 1 follow: it is cut off',
    ],
    [
      'with an enormous header',
      new Uint8Array(16).fill(255),
      'its header claims 18446744073709551615 bytes; expected at most 100000000',
    ],
    ['without JSON', file('PK\u0003\u0004'), 'its header is not valid JSON'],
    ['not UTF-8', Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0xff), 'its header is not valid JSON'],
    ['with a list for a header', file('[]'), 'its header is not a JSON object'],
    ['with a name twice', file(`{"a":${F('[0,4]')},"\\u0061":${F('[4,8]')}}`, 8), 'the key "a" is there twice'],
    [
      'with a field twice',
      file('{"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4),
      'the key "dtype" is there twice',
    ],
    ['with __proto__', file(`{"__proto__":${F('[0,4]')}}`, 4), 'the key "__proto__" is not allowed'],
    ['with an escaped __proto__', file(`{"\\u005f_proto__":${F('[0,4]')}}`, 4), 'the key "__proto__" is not allowed'],
    [
      'with __proto__ in its metadata',
      file('{"__metadata__":{"__proto__":"x"}}'),
      'the key "__proto__" is not allowed',
    ],
    [
      'with a value without bottom',
      file(`{"a":{"dtype":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`),
      'its header is not valid JSON (it has more than 100 objects and lists inside each other)',
    ],
    [
      'with a value that no message should have',
      file(`{"a":{"dtype":"${'x'.repeat(10_000)}"}}`),
      `the tensor "a" has the dtype "${'x'.repeat(59)}…; expected one of`,
    ],
    [
      'with an unknown type',
      file('{"a":{"dtype":"F4","shape":[1],"data_offsets":[0,4]}}', 4),
      'the tensor "a" has the dtype "F4"; expected one of F64, F32,',
    ],
    [
      'with an inherited type',
      file('{"a":{"dtype":"toString","shape":[1],"data_offsets":[0,4]}}', 4),
      'the tensor "a" has the dtype "toString"',
    ],
    [
      'with a negative size',
      file(`{"a":${F('[0,4]', '[-1]')}}`, 4),
      'the tensor "a" has the shape [-1]; expected integers from 0',
    ],
    [
      'with the wrong length',
      file(`{"a":${F('[0,4]', '[2]')}}`, 4),
      'the tensor "a" has the data_offsets [0,4]; expected 8 bytes for F32 [2]',
    ],
    [
      'with an end before the beginning',
      file(`{"a":${F('[4,0]')}}`, 4),
      'the tensor "a" has the data_offsets [4,0]; expected a beginning and an end behind it',
    ],
    ['with three offsets', file(`{"a":${F('[0,4,8]')}}`, 8), 'expected a beginning and an end behind it'],
    [
      'with a tensor beyond its end',
      file(`{"a":${F('[0,8]', '[2]')}}`, 4),
      'the tensor "a" ends at byte 8 of 4 bytes of data',
    ],
    [
      'with tensors that overlap',
      file(`{"a":${F('[0,8]', '[2]')},"b":${F('[4,8]')}}`, 8),
      'the tensors "a" and "b" overlap at byte 4',
    ],
    ['with a gap', file(`{"a":${F('[4,8]')}}`, 8), 'bytes 0 to 4 of the data belong to no tensor'],
    ['with bytes at its end', file(`{"a":${F('[0,4]')}}`, 6), 'bytes 4 to 6 of the data belong to no tensor'],
    [
      'with a field of its own',
      file('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}}', 4),
      'the tensor "a" has the field "x"',
    ],
    ['with a tensor that is null', file('{"a":null}'), 'the tensor "a" has the description null; expected an object'],
    [
      'with metadata that is no text',
      file('{"__metadata__":{"a":1}}'),
      'its __metadata__ has 1 for "a"; expected text',
    ],
    [
      'with a checksum of another tool',
      file('{"__metadata__":{"checksum":"abc"}}'),
      'its checksum "abc" is not as writeSafetensors makes it',
    ],
  ])('is one %s', (_, bytes, message) => {
    expect(() => readSafetensors(bytes)).toThrow(SafetensorsError);
    expect(() => readSafetensors(bytes)).toThrow(message);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('dtype' in {}).toBe(false);
  });

  it('is never written', () => {
    const data = Float32Array.of(1);
    expect(() => writeSafetensors(new Map([['__proto__', { shape: [1], data }]]))).toThrow(
      'the name "__proto__" is reserved',
    );
    expect(() => writeSafetensors(new Map([['a', { shape: [2], data }]]))).toThrow(
      'the tensor "a" of shape [2] has 1 values; expected 2',
    );
    expect(() => writeSafetensors(new Map(), new Map([['checksum', 'x']]))).toThrow('the name "checksum" is reserved');
  });
});

it('crc32 is the one of zip and PNG', () => {
  expect(crc32(text('123456789'))).toBe(0xcbf43926); // the check value of the algorithm's definition
  expect(crc32(text('6789'), crc32(text('12345')))).toBe(0xcbf43926);
});
