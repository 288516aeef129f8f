import { CHUNK_BYTES } from '../transfer/chunk-size.js';
import { ContentHash, NO_CHUNKS, type ChunkMark } from '../transfer/content-hash.js';
import type { DownloadTicket } from '../transfer/download-ticket.js';
import { wrongContent } from '../transfer/download.js';
import { RangeReader, type RangeOptions } from '../transfer/range-reader.js';
import type { TransferProgress } from '../transfer/transfer-progress.js';
import type { PartFile } from './part-file.js';

/** How a part is filled. */
export interface FillOptions extends Omit<RangeOptions, 'ticket' | 'start' | 'end'> {
  /** What was written before the process that wrote it ended. */
  readonly known?: ChunkMark;
  /** Keeps the mark of the chunks that are written. */
  readonly onMark?: (mark: ChunkMark) => Promise<void>;
  /** How far the bytes of an earlier run are read again. */
  readonly onCompared?: (progress: TransferProgress) => void;
  /** The bytes of an earlier run are not those of the file, so that all are downloaded again. */
  readonly onRestart?: () => void;
}

/**
 * Downloads into a part what it lacks, and compares the whole with the hash of the version: also what is on the disk already,
 * which another program may have changed.
 * @returns whether the content was compared; false for a version without a hash
 * @throws TransferError if the content is another one
 */
export async function fillPart(
  part: PartFile,
  ticket: DownloadTicket,
  options: FillOptions,
): Promise<boolean> {
  const kept = await keptBytes(part, ticket, options);
  if (kept.bytes > 0) {
    if (await fillFrom(part, ticket, kept, options)) return isVerifiable(ticket);
    options.onRestart?.();
  }
  await part.truncate(0);
  if (await fillFrom(part, ticket, { bytes: 0, hash: new ContentHash() }, options))
    return isVerifiable(ticket);
  throw wrongContent();
}

function isVerifiable({ contentHash }: DownloadTicket): boolean {
  return typeof contentHash === 'string';
}

interface KeptBytes {
  readonly bytes: number;
  readonly hash: ContentHash;
}

/** Reads the part again. Without a hash of the version, only chunks whose mark is known can be compared and are used. */
async function keptBytes(part: PartFile, ticket: DownloadTicket, options: FillOptions): Promise<KeptBytes> {
  const { known = NO_CHUNKS, signal, onCompared, onRestart } = options;
  const size = await part.size();
  const hash = new ContentHash();
  const marked = known.chunks * CHUNK_BYTES;
  const usable = isVerifiable(ticket) ? size : Math.min(size, marked);
  let bytes = 0;
  let isEqual = size <= ticket.size && Math.min(marked, ticket.size) <= size;
  for await (const piece of isEqual && usable > 0 ? part.read(usable) : []) {
    signal?.throwIfAborted();
    await hash.update(piece);
    bytes += piece.length;
    onCompared?.({ bytes, total: usable });
    if (hash.mark.chunks === known.chunks) isEqual = hash.mark.hash === known.hash;
    if (!isEqual) break;
  }
  if (isEqual && bytes === usable) return { bytes, hash };
  onRestart?.();
  return { bytes: 0, hash: new ContentHash() };
}

/** Whether the content is that of the version. */
async function fillFrom(
  part: PartFile,
  ticket: DownloadTicket,
  { bytes, hash }: KeptBytes,
  { onMark, ...options }: FillOptions,
): Promise<boolean> {
  let at = bytes;
  let { chunks } = hash.mark;
  for await (const piece of new RangeReader({ ...options, ticket, start: at, end: ticket.size }).read()) {
    await part.write(piece, at);
    await hash.update(piece);
    at += piece.length;
    if (hash.mark.chunks > chunks) await onMark?.(hash.mark);
    ({ chunks } = hash.mark);
  }
  await part.truncate(ticket.size);
  const { contentHash } = ticket;
  return typeof contentHash !== 'string' || (await hash.digest()) === contentHash;
}
