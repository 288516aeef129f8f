import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { lengthPrefixed } from '../encoding/index.js';
import {
  CHUNK_BYTES,
  type ChunkRow,
  type ChunkSlice,
  type FileVersion,
  openChunkRange,
  sealChunk,
  slicesOf,
  Tampered,
  UnknownFormat,
  WrongKey,
} from './index.js';

const SEGMENT = 65_536;
const STORED_SEGMENT = 65_552;

const fileKey = randomBytes(32);
const ids = { accountId: 'acc_A', vaultId: 'vlt_A', ingotId: 'ing_A', versionId: 'ver_A' };
const file: FileVersion = { ...ids, bytes: CHUNK_BYTES + 3 * SEGMENT + 100 };
const plaintext = randomBytes(file.bytes);

interface Stored {
  readonly row: ChunkRow;
  readonly bytes: Buffer;
}

/** All output that a stream pushed, read or not, and its error. */
async function run(stream: Transform, input: Buffer): Promise<{ pushed: Buffer; error: unknown }> {
  const pushed: Buffer[] = [];
  const push = stream.push.bind(stream);
  stream.push = (bytes: Buffer | null) => {
    if (bytes) pushed.push(Buffer.from(bytes));
    return push(bytes);
  };
  Readable.from([input]).pipe(stream).resume();
  const error: unknown = await finished(stream).catch((reason: unknown) => reason);
  return { pushed: Buffer.concat(pushed), error };
}

async function store(version: FileVersion, chunk: number, key = fileKey): Promise<Stored> {
  const { row, stream } = sealChunk(key, version, chunk);
  const start = chunk * CHUNK_BYTES;
  const { pushed } = await run(stream, plaintext.subarray(start, start + row.bytes));
  return { row, bytes: pushed };
}

/** A chunk, or some of its segments, as one slice. */
function sliceOf(chunk: number, firstSegment: number, segments: number): ChunkSlice {
  const offset = chunk * CHUNK_BYTES + firstSegment * SEGMENT;
  const bytes = Math.min(segments * SEGMENT, file.bytes - offset);
  return [...slicesOf(file.bytes, offset, bytes)][0]!;
}

function flipBit(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return flipped;
}

describe('ING-41 FRG-35: A stored chunk', () => {
  let first: Stored;
  let last: Stored;
  const lastSlice = sliceOf(1, 0, 4);
  const open = (stored: Stored, slice: ChunkSlice, bytes: Buffer) =>
    run(openChunkRange(fileKey, file, stored.row, slice), bytes);
  const openLast = (bytes: Buffer) => open(last, lastSlice, bytes);
  const lastText = plaintext.subarray(CHUNK_BYTES);

  beforeAll(async () => {
    [first, last] = [await store(file, 0), await store(file, 1)];
  });

  it('is refused with 1,000 random changes of one bit, and emits nothing of the changed segment', async () => {
    for (let flip = 0; flip < 1_000; flip += 1) {
      const segment = randomInt(800);
      const from = Math.max(segment - 1, 0);
      const slice = sliceOf(0, from, Math.min(segment + 2, 800) - from);
      const stored = first.bytes.subarray(slice.storedOffset, slice.storedOffset + slice.storedBytes);
      const bit = (segment - from) * STORED_SEGMENT * 8 + randomInt(STORED_SEGMENT * 8);
      const { pushed, error } = await open(first, slice, flipBit(stored, bit));
      expect(error).toBeInstanceOf(Tampered);
      expect(pushed.equals(plaintext.subarray(from * SEGMENT, segment * SEGMENT))).toBe(true);
    }
  });

  it('is refused with any changed bit of a tag', async () => {
    for (let bit = 0; bit < 128; bit += 1) {
      const { pushed, error } = await openLast(flipBit(last.bytes, last.bytes.length * 8 - 128 + bit));
      expect(error).toBeInstanceOf(Tampered);
      expect(pushed.equals(lastText.subarray(0, 3 * SEGMENT))).toBe(true);
    }
  });

  it('is refused with two segments exchanged', async () => {
    const segment = (index: number) =>
      last.bytes.subarray(index * STORED_SEGMENT, (index + 1) * STORED_SEGMENT);
    const swapped = Buffer.concat([segment(0), segment(2), segment(1), segment(3)]);
    const { pushed, error } = await openLast(swapped);
    expect(error).toBeInstanceOf(Tampered);
    expect(pushed.equals(lastText.subarray(0, SEGMENT))).toBe(true);
  });

  it('is refused with bytes missing at the end, complete segments included', async () => {
    for (const bytes of [
      0,
      1,
      STORED_SEGMENT - 1,
      STORED_SEGMENT,
      3 * STORED_SEGMENT,
      last.bytes.length - 1,
    ]) {
      const { pushed, error } = await openLast(last.bytes.subarray(0, bytes));
      expect(error).toBeInstanceOf(Tampered);
      expect(pushed.length).toBe(Math.floor(bytes / STORED_SEGMENT) * SEGMENT);
    }
  });

  it('is refused with bytes added at the end or a segment repeated', async () => {
    for (const added of [Buffer.alloc(1), last.bytes.subarray(0, STORED_SEGMENT), last.bytes]) {
      const { pushed, error } = await openLast(Buffer.concat([last.bytes, added]));
      expect(error).toBeInstanceOf(Tampered);
      expect(pushed.equals(lastText)).toBe(true);
    }
  });

  it('emits nothing with the bytes of another chunk, attempt, file or key', async () => {
    const others = [
      first.bytes.subarray(0, last.bytes.length),
      (await store(file, 1)).bytes,
      (await store({ ...file, versionId: 'ver_B' }, 1)).bytes,
      (await store(file, 1, randomBytes(32))).bytes,
    ];
    for (const bytes of others) {
      const { pushed, error } = await openLast(bytes);
      expect(error).toBeInstanceOf(Tampered);
      expect(pushed.length).toBe(0);
    }
  });

  it('authenticates the last flag: a file can be neither truncated nor extended at a segment', async () => {
    // All files use the same key, so they differ in the flag only. The MAC is recomputed; else it would fail first.
    const withMac = (row: ChunkRow, version: FileVersion): ChunkRow => ({
      ...row,
      mac: macByHand(row, version),
    });
    const short: FileVersion = { ...ids, bytes: SEGMENT };
    const long: FileVersion = { ...ids, bytes: 2 * SEGMENT };
    for (const [sealedAs, openedAs] of [
      [short, long],
      [long, short],
    ] as const) {
      const { row, bytes } = await store(sealedAs, 0);
      const openedRow = withMac({ ...row, bytes: openedAs.bytes }, openedAs);
      const slice = [...slicesOf(openedAs.bytes, 0, SEGMENT)][0]!;
      const opener = openChunkRange(fileKey, openedAs, openedRow, slice);
      const { pushed, error } = await run(opener, bytes.subarray(0, STORED_SEGMENT));
      expect(error).toBeInstanceOf(Tampered);
      expect(pushed.length).toBe(0);
    }
  });
});

/** The MAC of a row, computed independently of the library. */
function macByHand({ chunk, salt, bytes }: ChunkRow, version: FileVersion, chunks?: number): Buffer {
  const context = lengthPrefixed(
    'vk/v1/manifest',
    version.accountId,
    version.vaultId,
    version.ingotId,
    version.versionId,
  );
  const key = Buffer.from(hkdfSync('sha256', fileKey, '', context, 32));
  const count = chunks ?? Math.ceil(version.bytes / CHUNK_BYTES);
  return createHmac('sha256', key)
    .update(lengthPrefixed('vk/v1/manifest', `${chunk}`, `${count}`, `${version.bytes}`, salt, `${bytes}`))
    .digest();
}

describe('ING-41: A row of the manifest', () => {
  const slice = sliceOf(1, 0, 4);
  const { row } = sealChunk(fileKey, file, 1);
  const open = (changed: Partial<ChunkRow>, version = file, key = fileKey) =>
    openChunkRange(key, version, { ...row, ...changed }, slice).destroy();

  it('opens unchanged', () => {
    expect(() => open({})).not.toThrow();
    expect(() => open({ mac: macByHand(row, file) })).not.toThrow();
  });

  it('throws WrongKey for another account, vault, ingot, version or file key', () => {
    for (const field of ['accountId', 'vaultId', 'ingotId', 'versionId'] as const) {
      expect(() => open({}, { ...file, [field]: 'other' })).toThrow(WrongKey);
    }
    expect(() => open({}, { ...file, accountId: 'vlt_A', vaultId: 'acc_A' })).toThrow(WrongKey);
    expect(() => open({}, file, randomBytes(32))).toThrow(WrongKey);
  });

  it('is refused with another file size, whether or not the number of chunks changes', () => {
    for (const bytes of [file.bytes - 1, file.bytes + 1, 2 * CHUNK_BYTES, 2 * CHUNK_BYTES + 1, CHUNK_BYTES]) {
      expect(() => open({}, { ...file, bytes })).toThrow(Tampered);
    }
  });

  it('is refused with a MAC over another number of chunks', () => {
    expect(() => open({ mac: macByHand(row, file, 3) })).toThrow(Tampered);
  });

  it('is refused with another chunk length, even under a matching MAC', () => {
    const changed = { ...row, bytes: row.bytes - 1 };
    expect(() => open(changed)).toThrow(Tampered);
    expect(() => open({ ...changed, mac: macByHand(changed, file) })).toThrow(Tampered);
  });

  it('is refused in the place of another chunk', () => {
    const { row: other } = sealChunk(fileKey, file, 0);
    expect(() => open(other)).toThrow(Tampered);
    expect(() => open({ ...other, chunk: 1 })).toThrow(WrongKey);
  });

  it('is refused with salt and commitment of a discarded attempt', () => {
    const { row: discarded } = sealChunk(fileKey, file, 1);
    expect(() => open({ salt: discarded.salt })).toThrow(WrongKey);
    expect(() => open({ salt: discarded.salt, commitment: discarded.commitment })).toThrow(Tampered);
  });

  it('is refused with any changed bit of salt, commitment or MAC', () => {
    for (let bit = 0; bit < 256; bit += 1) {
      expect(() => open({ salt: flipBit(row.salt, bit) })).toThrow(WrongKey);
      expect(() => open({ commitment: flipBit(row.commitment, bit) })).toThrow(WrongKey);
      expect(() => open({ mac: flipBit(row.mac, bit) })).toThrow(Tampered);
    }
  });

  it('throws UnknownFormat for fields of other lengths', () => {
    for (const length of [0, 16, 31, 33]) {
      expect(() => open({ salt: Buffer.alloc(length) })).toThrow(UnknownFormat);
      expect(() => open({ commitment: Buffer.alloc(length) })).toThrow(UnknownFormat);
      expect(() => open({ mac: Buffer.alloc(length) })).toThrow(Tampered);
    }
  });
});
