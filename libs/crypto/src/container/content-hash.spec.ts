import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import {
  CHUNK_BYTES,
  contentHash,
  type FileVersion,
  openChunkHash,
  openContentHash,
  SEALED_HASH_BYTES,
  sealChunk,
  sealChunkHash,
  sealContentHash,
  Tampered,
  UnknownFormat,
  WrongChecksum,
  WrongChunkLength,
  WrongKey,
} from './index.js';

const fileKey = randomBytes(32);
const fileOf = (bytes: number): FileVersion => ({
  accountId: 'acc_A',
  vaultId: 'vlt_A',
  ingotId: 'ing_A',
  versionId: 'ver_A',
  bytes,
});
const digest = (algorithm: 'sha1' | 'sha256', ...parts: Buffer[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest();
const sha256 = (...parts: Buffer[]) => digest('sha256', ...parts);

describe('FRG-37: the hash of a chunk', () => {
  it('is the SHA-256 of its plaintext, however it is divided', async () => {
    const plaintext = randomBytes(200_000);
    for (const sizes of [[200_000], [1, 4_096, 4_097, 65_536, 126_270]]) {
      const { stream, hash } = sealChunk(fileKey, fileOf(plaintext.length), 0);
      let offset = 0;
      for (const size of sizes) stream.write(plaintext.subarray(offset, (offset += size)));
      await buffer(stream.end());
      expect(hash()).toEqual(sha256(plaintext));
    }
  });

  it('is not available before the chunk is complete', async () => {
    const { stream, hash } = sealChunk(fileKey, fileOf(5), 0);
    expect(hash).toThrow();
    await expect(buffer(stream.end('four'))).rejects.toThrow(WrongChunkLength);
    expect(hash).toThrow();
  });
});

describe('FRG-40: a chunk with a checksum', () => {
  const plaintext = randomBytes(100_000);
  const sealed = (checksum: { algorithm: 'sha1' | 'sha256'; digest: Buffer }) => {
    const { stream, hash } = sealChunk(fileKey, fileOf(plaintext.length), 0, { checksum });
    return buffer(stream.end(plaintext)).then(hash);
  };

  it.each(['sha1', 'sha256'] as const)(
    'is sealed if its %s is right, and fails otherwise',
    async (algorithm) => {
      const right = digest(algorithm, plaintext);
      expect(await sealed({ algorithm, digest: right })).toEqual(sha256(plaintext));
      for (const wrong of [digest(algorithm, Buffer.from('x')), right.subarray(1), Buffer.alloc(0)])
        await expect(sealed({ algorithm, digest: wrong })).rejects.toThrow(WrongChecksum);
    },
  );
});

describe('FRG-37: the hash of a version', () => {
  it('of one chunk is the hash of the chunk', async () => {
    const hash = randomBytes(32);
    expect(await contentHash(fileOf(CHUNK_BYTES), [hash])).toEqual(hash);
  });

  it('of several chunks is the SHA-256 of their hashes in order', async () => {
    const hashes = [1, 2, 3].map(() => randomBytes(32));
    const file = fileOf(2 * CHUNK_BYTES + 1);
    expect(await contentHash(file, hashes)).toEqual(sha256(...hashes));
    expect(await contentHash(file, hashes.toReversed())).not.toEqual(sha256(...hashes));
  });

  it('needs the hash of each chunk', async () => {
    const hashes = [1, 2, 3].map(() => randomBytes(32));
    await expect(contentHash(fileOf(3 * CHUNK_BYTES + 1), hashes)).rejects.toThrow(Tampered);
    await expect(contentHash(fileOf(CHUNK_BYTES), hashes)).rejects.toThrow(Tampered);
    await expect(contentHash(fileOf(CHUNK_BYTES), [])).rejects.toThrow(Tampered);
  });
});

describe('FRG-37: a sealed hash', () => {
  const file = fileOf(3 * CHUNK_BYTES);
  const hash = randomBytes(32);
  const others: [string, FileVersion][] = (['accountId', 'vaultId', 'ingotId', 'versionId'] as const).map(
    (field) => [field, { ...file, [field]: 'other' }],
  );
  others.push(['bytes', { ...file, bytes: file.bytes - 1 }]);

  it('opens with the file key, shows nothing of the hash, and is never the same twice', () => {
    const [chunk, content] = [sealChunkHash(fileKey, file, 1, hash), sealContentHash(fileKey, file, hash)];
    expect(openChunkHash(fileKey, file, 1, chunk)).toEqual(hash);
    expect(openContentHash(fileKey, file, content)).toEqual(hash);
    for (const sealed of [chunk, content]) {
      expect(sealed).toHaveLength(SEALED_HASH_BYTES);
      expect(sealed.includes(hash)).toBe(false);
    }
    expect(sealChunkHash(fileKey, file, 1, hash)).not.toEqual(chunk);
  });

  it('of a chunk is not that of a version, nor that of another chunk', () => {
    const [chunk, content] = [sealChunkHash(fileKey, file, 1, hash), sealContentHash(fileKey, file, hash)];
    expect(() => openChunkHash(fileKey, file, 0, chunk)).toThrow(WrongKey);
    expect(() => openContentHash(fileKey, file, chunk)).toThrow(WrongKey);
    expect(() => openChunkHash(fileKey, file, 1, content)).toThrow(WrongKey);
  });

  it.each(others)('is refused for another %s', (_, other) => {
    expect(() => openChunkHash(fileKey, other, 1, sealChunkHash(fileKey, file, 1, hash))).toThrow(WrongKey);
    expect(() => openContentHash(fileKey, other, sealContentHash(fileKey, file, hash))).toThrow(WrongKey);
  });

  it('is refused with another key, and with each bit changed', () => {
    const sealed = sealContentHash(fileKey, file, hash);
    expect(() => openContentHash(randomBytes(32), file, sealed)).toThrow(WrongKey);
    for (let bit = 0; bit < 8 * sealed.length; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => openContentHash(fileKey, file, changed)).toThrow();
    }
    expect(() => openContentHash(fileKey, file, sealed.subarray(1))).toThrow(UnknownFormat);
    expect(() => openContentHash(fileKey, file, Buffer.alloc(0))).toThrow(UnknownFormat);
  });
});
