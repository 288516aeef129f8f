// The limits of this machine: AES-256-GCM on one core, a new file with and without fsync, the loopback interface.
import { createCipheriv, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

const SEGMENT_BYTES = 65_536;
const WRITE_BYTES = 1_048_576;

/** MB/s of each limit, measured with as many bytes as one client transfers. */
export async function measureLimits(bench: { dir: string }, plainUrl: string, bytes: number) {
  return {
    'AES-256-GCM, 64 KiB segments, one core': rate(bytes, await timed(() => encrypt(bytes))),
    'new file, 1 MiB writes': rate(bytes, await timed(() => writeNew(bench, bytes, false))),
    'new file, 1 MiB writes, fsync': rate(bytes, await timed(() => writeNew(bench, bytes, true))),
    'loopback HTTP, bytes discarded': rate(bytes, await timed(() => sendDiscarded(plainUrl, bytes))),
  };
}

function rate(bytes: number, ms: number) {
  return bytes / 1_000 / ms;
}

async function timed(work: () => unknown) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function encrypt(bytes: number) {
  const key = randomBytes(32);
  const segment = randomBytes(SEGMENT_BYTES);
  const nonce = Buffer.alloc(12);
  for (let index = 0; index * SEGMENT_BYTES < bytes; index++) {
    nonce.writeUInt32BE(index, 7);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
    cipher.update(segment);
    cipher.final();
    cipher.getAuthTag();
  }
}

async function writeNew(bench: { dir: string }, bytes: number, isSynced: boolean) {
  const path = join(bench.dir, 'new-file');
  const piece = randomBytes(WRITE_BYTES);
  const file = await open(path, 'w');
  try {
    for (let at = 0; at < bytes; at += WRITE_BYTES)
      await file.write(piece, 0, Math.min(WRITE_BYTES, bytes - at));
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
  // Deleted so that the next measurement creates a new file.
  await rm(path);
}

function sendDiscarded(origin: string, bytes: number): Promise<void> {
  const piece = randomBytes(WRITE_BYTES);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}/null`,
      { method: 'PUT', headers: { 'content-length': bytes } },
      (answer) => answer.resume().on('end', () => resolve()),
    );
    sent.on('error', reject);
    let left = bytes;
    const fill = () => {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(left, WRITE_BYTES));
        left -= next.length;
        if (!sent.write(next)) return void sent.once('drain', fill);
      }
      sent.end();
    };
    fill();
  });
}
