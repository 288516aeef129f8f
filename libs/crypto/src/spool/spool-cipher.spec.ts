import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { SpoolCipher } from './spool-cipher.js';

async function encrypted(cipher: SpoolCipher, content: Buffer): Promise<Buffer> {
  const stream = cipher.encryption();
  stream.end(content);
  return buffer(stream);
}

describe('the cipher of a temporary file', () => {
  const content = randomBytes(1_000);

  it.each([0, 1, 15, 16, 17, 500, 999])('CLI-08: decrypts from byte %i on, in parts', async (start) => {
    const cipher = new SpoolCipher();
    const stored = await encrypted(cipher, content);
    const decrypt = cipher.decryptionFrom(start);
    const middle = start + Math.floor((content.length - start) / 2);
    const parts = [decrypt(stored.subarray(start, middle)), decrypt(stored.subarray(middle))];
    expect(Buffer.concat(parts)).toEqual(content.subarray(start));
  });

  it('CLI-08: has a key of its own, and encrypts one content', async () => {
    const cipher = new SpoolCipher();
    const stored = await encrypted(cipher, content);
    expect(stored).toHaveLength(content.length);
    expect(stored.equals(content)).toBe(false);
    expect((await encrypted(new SpoolCipher(), content)).equals(stored)).toBe(false);
    expect(() => cipher.encryption()).toThrow('one content');
  });

  it('CLI-08: decrypts nothing more once its key is erased', async () => {
    const cipher = new SpoolCipher();
    const stored = await encrypted(cipher, content);
    cipher.destroy();
    expect(cipher.decryptionFrom(0)(stored)).not.toEqual(content);
  });
});
