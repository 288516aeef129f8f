// The clients: tus-js-client as it comes from npm for uploads, Node's own HTTP for downloads.
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Upload } from 'tus-js-client';

const CHUNK_BYTES = 52_428_800;
const agent = new Agent({ keepAlive: true });

/** Uploads a slice and gives the URL of the upload. What fails is not tried again: a bench wants to know. */
export function uploadSlice(endpoint, slice) {
  return new Promise((resolve, reject) => {
    const upload = new Upload(slice.stream(), {
      endpoint,
      chunkSize: CHUNK_BYTES,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onError: reject,
      onSuccess: () => resolve(upload.url),
    });
    upload.start();
  });
}

/**
 * Reads a URL to its end: how many bytes came, and the milliseconds until the first of them.
 * `take` sees every piece.
 */
export function download(url, { headers = {}, take = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(url, { agent, headers, highWaterMark: 262_144 }, (response) => {
      let bytes = 0;
      let firstByteMs;
      response.on('data', (part) => {
        firstByteMs ??= performance.now() - began;
        bytes += part.length;
        take(part);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, bytes, firstByteMs }));
    });
    sent.on('error', reject).end();
  });
}

/** Ends the bench with an error unless what comes from the URL is the slice, byte for byte. */
export async function assertSame(url, slice, what) {
  const hash = createHash('sha256');
  const { status, bytes } = await download(url, { take: (part) => hash.update(part) });
  if (status === 200 && bytes === slice.bytes && hash.digest('hex') === (await slice.hash())) return;
  throw new Error(`${what}: what came back is not what was uploaded (${status}, ${bytes} bytes)`);
}

export function closeClients() {
  agent.destroy();
}
