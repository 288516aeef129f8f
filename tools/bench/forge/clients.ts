// The clients: the unmodified tus-js-client for uploads, Node's HTTP client for downloads.
import { createHash } from 'node:crypto';
import { Agent, request, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { Upload } from 'tus-js-client';
import type { Slice } from './content.ts';

const CHUNK_BYTES = 52_428_800;
/** The agent passes it to the socket. */
interface SocketOptions {
  highWaterMark: number;
}

const agent = new Agent({ keepAlive: true });

/** Uploads a slice without retries, so that a failure ends the benchmark. Resolves with the URL of the upload. */
export function uploadSlice(endpoint: string, slice: Slice): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(slice.stream(), {
      endpoint,
      chunkSize: CHUNK_BYTES,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onError: reject,
      onSuccess: () => resolve(upload.url ?? ''),
    });
    upload.start();
  });
}

export interface Download {
  status: number | undefined;
  bytes: number;
  firstByteMs: number;
}

/** Downloads a URL. Resolves with its length and the milliseconds until the first byte. `onData` receives every part. */
export function download(
  url: string,
  {
    headers = {},
    onData = () => {},
  }: { headers?: OutgoingHttpHeaders; onData?: (part: Buffer) => void } = {},
): Promise<Download> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const options: RequestOptions & SocketOptions = { agent, headers, highWaterMark: 262_144 };
    const sent = request(url, options, (response) => {
      let bytes = 0;
      let firstByteMs = Number.NaN;
      response.on('data', (part: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - startedAt;
        bytes += part.length;
        onData(part);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, bytes, firstByteMs }));
    });
    sent.on('error', reject).end();
  });
}

/**
 * Compares a download with the slice, byte for byte.
 * @throws when they differ
 */
export async function assertSame(url: string, slice: Slice, name: string) {
  const hash = createHash('sha256');
  const { status, bytes } = await download(url, { onData: (part) => hash.update(part) });
  if (status === 200 && bytes === slice.bytes && hash.digest('hex') === (await slice.hash())) return;
  throw new Error(`${name}: the download differs from the upload (${status}, ${bytes} bytes)`);
}

export function closeClients() {
  agent.destroy();
}
