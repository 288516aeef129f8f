import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { UploadSource } from '../transfer/upload-source.js';

/** A file of the disk, which `upload` reads chunk by chunk. */
export async function fileSource(path: string): Promise<UploadSource> {
  const { size, mtimeMs } = await stat(path);
  return {
    size,
    fingerprint: `file ${resolve(path)} ${size} ${mtimeMs}`,
    name: basename(path),
    slice: async (start, end) => createReadStream(path, { start, end: end - 1 }),
  };
}
