// What this machine can do at all: one core's AES-256-GCM, a new file with and without fsync, the loopback.
import { createCipheriv, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

const SEGMENT_BYTES = 65_536;
const WRITE_BYTES = 1_048_576;

/** MB/s of each limit, measured over as many bytes as one client moves. */
export async function measureLimits(place, plainUrl, bytes) {
  return {
    'AES-256-GCM, 64 KiB segments, one core': rate(bytes, await timed(() => encrypt(bytes))),
    'new file, 1 MiB writes': rate(bytes, await timed(() => writeNew(place, bytes, false))),
    'new file, 1 MiB writes, fsync': rate(bytes, await timed(() => writeNew(place, bytes, true))),
    'loopback HTTP into nothing': rate(bytes, await timed(() => sendAway(plainUrl, bytes))),
  };
}

function rate(bytes, ms) {
  return bytes / 1_000 / ms;
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function encrypt(bytes) {
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

async function writeNew(place, bytes, isSynced) {
  const path = join(place.dir, 'new-file');
  const piece = randomBytes(WRITE_BYTES);
  const file = await open(path, 'w');
  try {
    for (let at = 0; at < bytes; at += WRITE_BYTES)
      await file.write(piece, 0, Math.min(WRITE_BYTES, bytes - at));
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
  // The next one is new again; removing costs nothing that was not counted.
  await rm(path);
}

function sendAway(origin, bytes) {
  const piece = randomBytes(WRITE_BYTES);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}/null`,
      { method: 'PUT', headers: { 'content-length': bytes } },
      (answer) => answer.resume().on('end', resolve),
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
