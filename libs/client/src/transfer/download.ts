import type { Schema } from '../client-types.js';
import { ContentHash } from './content-hash.js';
import type { DownloadTicket } from './download-ticket.js';
import { RangeReader, type RangeOptions } from './range-reader.js';
import type { NamedVersion } from './stored-content.js';
import { TransferError } from './transfer-error.js';
import type { VaultAccess } from './vault-access.js';

/** The settings of `download`. */
export interface DownloadOptions extends Pick<RangeOptions, 'onProgress' | 'signal'> {
  /** The first byte; 0 by default. */
  readonly start?: number;
  /** The byte after the last one; the size of the file by default. */
  readonly end?: number;
  /** A replacement of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A download that has begun. */
export interface Download {
  readonly ingotId: string;
  readonly name: string;
  readonly contentType: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Undefined of releases of the service that do not name it. */
  readonly versionId: string | undefined;
  /** The hash of the whole content; null of versions that have none. */
  readonly contentHash: string | null;
  /** When the file was last modified, in seconds since the epoch; null if that is not known. */
  readonly modifiedAt: number | null;
  /** Whether the content is compared with its hash: not a range, and not without a hash. Then `body` fails before its end. */
  readonly verified: boolean;
  /** The bytes of the range, all of one version. It fails if the file was replaced meanwhile; never is it silently shorter. */
  readonly body: ReadableStream<Uint8Array>;
}

/** A ticket of a vault, with what the API says of the file. */
export interface VaultTicket extends DownloadTicket {
  readonly ingotId: string;
  readonly name: string;
  readonly contentType: string;
}

/**
 * Downloads a file, or a range of it. A broken connection is resumed at the byte where it broke off.
 * @param ingot its id, or `:` and its name
 * @throws ApiError, ConnectionError or, from the stream, TransferError
 */
export async function download(
  vault: VaultAccess,
  ingot: string,
  options: DownloadOptions = {},
): Promise<Download> {
  const ticket = await requestTicket(vault, ingot, options.signal);
  const { ingotId, name, contentType, size, versionId, contentHash = null, modifiedAt = null } = ticket;
  const { start = 0, signal } = options;
  const end = Math.min(options.end ?? size, size);
  const renew = () => requestTicket(vault, ingotId, signal);
  const bytes = new RangeReader({ ...options, ticket, start, end, renew }).read();
  const verified = contentHash !== null && start === 0 && end === size;
  const body = streamOf(verified ? verifiedBytes(bytes, contentHash) : bytes);
  return { ingotId, name, contentType, size, versionId, contentHash, modifiedAt, verified, body };
}

/**
 * Downloads the content of a ticket that is no vault's, such as that of a link. The content is compared with its hash, if it
 * has one.
 */
export function downloadTicket(
  ticket: DownloadTicket,
  options: Omit<RangeOptions, 'ticket' | 'start' | 'end'> = {},
): ReadableStream<Uint8Array> {
  const bytes = new RangeReader({ ...options, ticket, start: 0, end: ticket.size }).read();
  return streamOf(ticket.contentHash ? verifiedBytes(bytes, ticket.contentHash) : bytes);
}

/** A streaming URL, which may be used for several ranges. */
export async function requestTicket(
  { client, vaultId }: VaultAccess,
  ingot: string,
  signal?: AbortSignal,
): Promise<VaultTicket> {
  const { data } = await client.POST('/v1/vaults/{vault_id}/ingots/{ingot_id}/download', {
    params: { path: { vault_id: vaultId, ingot_id: ingot } },
    body: { stream: true },
    isRepeatable: true,
    signal,
  });
  const { ingot_id, name, content_type, size_bytes, download_url }: Schema<'IngotDownload'> = data;
  const { version_id, content_hash, modified_at } = data as NamedVersion;
  return {
    url: download_url,
    ingotId: ingot_id,
    name,
    contentType: content_type,
    size: size_bytes,
    versionId: version_id ?? undefined,
    contentHash: content_hash,
    modifiedAt: modified_at,
  };
}

/** The error of a content that is not what its version has. */
export function wrongContent(): TransferError {
  return new TransferError('The content that arrived is not that of the file: its hash is another one.');
}

/** The last piece is held back until the hash is right, so that nobody has the whole of a wrong content. */
async function* verifiedBytes(
  bytes: AsyncIterable<Uint8Array>,
  contentHash: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = new ContentHash();
  let held: Uint8Array | undefined;
  for await (const piece of bytes) {
    await hash.update(piece);
    if (held) yield held;
    held = piece;
  }
  if ((await hash.digest()) !== contentHash) throw wrongContent();
  if (held) yield held;
}

function streamOf(bytes: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await bytes.return()),
    },
    { highWaterMark: 0 },
  );
}
