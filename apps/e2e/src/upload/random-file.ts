import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const STEP_BYTES = 8_388_608;

/** A file of random bytes in a temporary folder, with its hash. Call `remove` in `afterAll`. */
export class RandomFile {
  private constructor(
    readonly path: string,
    readonly bytes: number,
    /** SHA-256 in hex. */
    readonly hash: string,
  ) {}

  static async make(name: string, bytes: number): Promise<RandomFile> {
    const path = join(await mkdtemp(join(tmpdir(), 'vaultsvc-upload-')), name);
    const hash = createHash('sha256');
    const step = Buffer.alloc(STEP_BYTES);
    const file = await open(path, 'wx');
    try {
      for (let at = 0; at < bytes; at += STEP_BYTES) {
        const piece = randomFillSync(step).subarray(0, bytes - at);
        hash.update(piece);
        await file.write(piece);
      }
    } finally {
      await file.close();
    }
    return new RandomFile(path, bytes, hash.digest('hex'));
  }

  stream(): ReadStream {
    return createReadStream(this.path);
  }

  async remove(): Promise<void> {
    await rm(dirname(this.path), { recursive: true, force: true });
  }
}
