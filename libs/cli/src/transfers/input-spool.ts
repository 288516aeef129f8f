import { randomBytes } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { UploadSource } from '@vaultsvc/client';
import { SpoolCipher } from '@vaultsvc/crypto/spool';
import { writeAll } from './write-all.js';

const READ_BYTES = 1_048_576;

/**
 * The standard input in a temporary file, because an upload needs its length and reads parts again. The file is encrypted with
 * a key that exists in memory only, and has no name from the start where the system allows that: nothing of it is left after a
 * crash.
 */
export class InputSpool {
  readonly #cipher = new SpoolCipher();
  #size = 0;
  #isRemoved = false;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly hasName: boolean,
  ) {}

  /** Reads the whole input. @throws the reason of the signal at Ctrl-C */
  static async fill(input: Readable, signal: AbortSignal): Promise<InputSpool> {
    const path = join(tmpdir(), `vaultsvc-${randomBytes(8).toString('hex')}.spool`);
    const handle = await open(path, 'wx+', 0o600);
    // Windows refuses to delete an open file: there it is deleted at the end.
    const isUnnamed = await unlink(path).then(
      () => true,
      () => false,
    );
    const spool = new InputSpool(path, handle, !isUnnamed);
    try {
      spool.#size = await writeAll(handle, input, { signal, through: spool.#cipher.encryption() });
      return spool;
    } catch (error) {
      await spool.remove();
      throw error;
    }
  }

  /** The content for an upload, which cannot be resumed by another process. */
  source(name: string): UploadSource {
    return {
      size: this.#size,
      fingerprint: randomBytes(16).toString('hex'),
      name,
      slice: async (start, end) => this.#read(start, end),
      // Nobody else can write to it.
      isUnchanged: async () => true,
    };
  }

  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.handle.close();
    if (this.hasName) await unlink(this.path).catch(() => undefined);
    this.#cipher.destroy();
  }

  async *#read(start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
    const decrypt = this.#cipher.decryptionFrom(start);
    // A reader that was stopped may ask once more.
    for (let at = start; at < end && !this.#isRemoved;) {
      const length = Math.min(READ_BYTES, end - at);
      const { bytesRead, buffer } = await this.handle.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) throw new Error('The temporary file of the standard input is incomplete.');
      yield decrypt(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }
}
