import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { newChunkRow, openChunkRow } from './chunk-row.js';
import { CoalescingTransform } from './coalescing-transform.js';

/** Passes its input on, and keeps the memory that it got. */
class Passing extends CoalescingTransform {
  readonly seen: Buffer[] = [];
  wipes = 0;

  protected process(bytes: Buffer): void {
    this.seen.push(bytes);
    if (bytes.length > 0) this.push(Buffer.from(bytes));
  }

  protected assertComplete(): void {}

  protected wipe(): void {
    this.wipes += 1;
  }
}

const secret = Buffer.from('a small write is gathered in a buffer');
const isEmpty = (bytes: Buffer | undefined) => bytes?.equals(Buffer.alloc(bytes.length));

describe('MISC-03: the buffer in which small writes gather', () => {
  it('is wiped when the last byte is processed, although nobody has read the output', async () => {
    const stream = new Passing();
    stream.end(secret);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(stream.destroyed).toBe(false);
    expect(stream.seen).toHaveLength(1);
    expect(stream.seen[0]).toHaveLength(secret.length);
    expect([isEmpty(stream.seen[0]), stream.wipes]).toEqual([true, 1]);
    expect(stream.read()).toEqual(secret);
  });

  it('is wiped when the stream is destroyed in the middle', async () => {
    const stream = new Passing();
    stream.write(secret);
    stream.write(randomBytes(5_000)); // does not fit, so the buffer is processed first
    stream.write(secret);
    stream.destroy();
    expect(stream.seen[0]).toHaveLength(secret.length);
    expect([isEmpty(stream.seen[0]), stream.wipes]).toEqual([true, 1]);
  });
});

describe('MISC-03: the key of a chunk whose row is refused', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('is wiped', () => {
    const fileKey = randomBytes(32);
    const file = { accountId: 'acc_A', vaultId: 'vlt_A', ingotId: 'ing_A', versionId: 'ver_A', bytes: 100 };
    const { row, key } = newChunkRow(fileKey, file, 0, randomBytes(32));
    const wiped: string[] = [];
    const { fill } = Buffer.prototype;
    jest.spyOn(Buffer.prototype, 'fill').mockImplementation(function (this: Buffer, ...args: unknown[]) {
      // Not the blocks of HKDF, which are wiped in any case: key and commitment share 64 bytes.
      if (args[0] === 0 && this.buffer.byteLength === 64) wiped.push(this.toString('hex'));
      return Reflect.apply(fill, this, args) as Buffer;
    });
    expect(() => openChunkRow(fileKey, file, { ...row, commitment: randomBytes(32) })).toThrow();
    expect(wiped).toContain(key.toString('hex'));
    wiped.length = 0;
    expect(() => openChunkRow(fileKey, file, { ...row, mac: randomBytes(32) })).toThrow();
    expect(wiped).toContain(key.toString('hex'));
    wiped.length = 0;
    expect(openChunkRow(fileKey, file, row)).toEqual(key);
    expect(wiped).not.toContain(key.toString('hex'));
  });
});
