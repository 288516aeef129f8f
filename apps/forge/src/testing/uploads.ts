import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import type { Harness } from '@vaultsvc/testing/harness';
import { type RawResponse, send } from '@vaultsvc/testing/http';
import { mintTransfer, type MintedTransfer } from './transfers.js';

export { urlOf as forgeUrl } from '@vaultsvc/testing/harness';

type Headers = Readonly<Record<string, string>>;

/** Sends a request with Tus-Resumable. */
export function tus(
  url: string,
  method: string,
  target: string,
  headers: Headers = {},
  body?: Buffer,
): Promise<RawResponse> {
  return send(url, { method, target, headers: { 'Tus-Resumable': '1.0.0', ...headers }, body });
}

/** Creates an upload with an ISTK; the response has its Location. */
export function openUpload(
  url: string,
  istk: string,
  bytes: number,
  headers: Headers = {},
): Promise<RawResponse> {
  return tus(url, 'POST', `/encrypt?istk=${istk}`, { 'Upload-Length': String(bytes), ...headers });
}

/** Creates an upload; returns its Location. */
export async function newUpload(url: string, istk: string, bytes: number): Promise<string> {
  const { status, headers, body } = await openUpload(url, istk, bytes);
  if (status !== 201 || !headers.location) throw new Error(`no upload: ${status} ${body.toString()}`);
  return headers.location;
}

export interface NewUpload {
  readonly transfer: MintedTransfer;
  readonly location: string;
}

/** Mints an ISTK and creates its upload. */
export async function mintUpload(harness: Harness, url: string, bytes: number): Promise<NewUpload> {
  const transfer = await mintTransfer(harness, { sizeBytes: bytes });
  return { transfer, location: await newUpload(url, transfer.istk, bytes) };
}

/** The error in the envelope of a response. */
export function errorOf({ body }: RawResponse): { code: string; details?: Record<string, unknown> } {
  return (JSON.parse(body.toString()) as { error: ReturnType<typeof errorOf> }).error;
}

export function sendChunk(
  url: string,
  location: string,
  offset: number,
  bytes: Buffer,
  headers: Headers = {},
): Promise<RawResponse> {
  const own = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
  return tus(url, 'PATCH', location, { ...own, ...headers }, bytes);
}

/** Uploads a whole content chunk by chunk; returns the Location. */
export async function upload(url: string, istk: string, content: Buffer): Promise<string> {
  const location = await newUpload(url, istk, content.length);
  for (let offset = 0; offset < content.length; offset += CHUNK_BYTES) {
    const { status, body } = await sendChunk(
      url,
      location,
      offset,
      content.subarray(offset, offset + CHUNK_BYTES),
    );
    if (status !== 204) throw new Error(`no chunk: ${status} ${body.toString()}`);
  }
  return location;
}
