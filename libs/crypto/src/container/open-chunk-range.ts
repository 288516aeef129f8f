import type { DecipherGCM } from 'node:crypto';
import type { Transform } from 'node:stream';
import { TAG_BYTES } from '../aead/gcm.js';
import { Tampered } from '../errors.js';
import { type ChunkRow, openChunkRow } from './chunk-row.js';
import type { FileVersion } from './file-version.js';
import { GatheringTransform } from './gathering-transform.js';
import type { ChunkSlice } from './layout.js';
import { SegmentCiphers } from './segment-ciphers.js';

/**
 * Opens the part of a range that lies in one chunk: the stored bytes of the slice in, exactly its plaintext out.
 * Nothing of a segment leaves before its tag has been verified; at the first byte that was changed, lost or added the
 * stream fails with `Tampered`, and whoever reads must be cut off, because bytes of earlier segments have left.
 *
 * Proves the row first, and throws what that finds: `WrongKey`, `Tampered` or `UnknownFormat`. The stream wipes its
 * key when it ends, fails or is destroyed; `fileKey` stays the caller's.
 */
export function openChunkRange(
  fileKey: Buffer,
  file: FileVersion,
  row: ChunkRow,
  slice: ChunkSlice,
): Transform {
  if (row.chunk !== slice.chunk) throw new Tampered();
  const key = openChunkRow(fileKey, file, row);
  return new ChunkOpener(new SegmentCiphers(key, file, row.chunk), slice);
}

export class ChunkOpener extends GatheringTransform {
  readonly #ciphers: SegmentCiphers;
  readonly #endSegment: number;
  #segment: number;
  #skipBytes: number;
  #wantedBytes: number;
  #decipher: DecipherGCM;
  #textBytes: number;
  /** Plaintext of the present segment, which nobody may see yet. */
  #unverified: Buffer[] = [];
  readonly #tag = Buffer.alloc(TAG_BYTES);
  #tagBytes: number;

  constructor(ciphers: SegmentCiphers, { firstSegment, segments, skipBytes, bytes }: ChunkSlice) {
    super();
    this.#ciphers = ciphers;
    this.#segment = firstSegment;
    this.#endSegment = firstSegment + segments;
    this.#skipBytes = skipBytes;
    this.#wantedBytes = bytes;
    this.#openSegment();
  }

  protected override takePiece(bytes: Buffer): void {
    for (let offset = 0; offset < bytes.length;) {
      if (this.#segment === this.#endSegment) throw new Tampered();
      const rest = bytes.subarray(offset);
      offset += this.#textBytes > 0 ? this.#takeText(rest) : this.#takeTag(rest);
      if (this.#tagBytes === TAG_BYTES) this.#closeSegment();
    }
  }

  protected override assertWhole(): void {
    if (this.#segment < this.#endSegment) throw new Tampered();
  }

  protected override wipe(): void {
    this.#ciphers.wipe();
    for (const text of this.#unverified.splice(0)) text.fill(0);
  }

  #openSegment(): void {
    this.#decipher = this.#ciphers.opener(this.#segment);
    this.#textBytes = this.#ciphers.bytesOf(this.#segment);
    this.#tagBytes = 0;
  }

  #takeText(bytes: Buffer): number {
    const piece = bytes.subarray(0, this.#textBytes);
    this.#unverified.push(this.#decipher.update(piece));
    this.#textBytes -= piece.length;
    return piece.length;
  }

  #takeTag(bytes: Buffer): number {
    const taken = bytes.copy(this.#tag, this.#tagBytes);
    this.#tagBytes += taken;
    return taken;
  }

  #closeSegment(): void {
    this.#verify();
    for (const text of this.#unverified.splice(0)) this.#release(text);
    this.#segment += 1;
    if (this.#segment < this.#endSegment) this.#openSegment();
    else this.#tagBytes = 0;
  }

  #verify(): void {
    try {
      this.#decipher.setAuthTag(this.#tag).final();
    } catch {
      throw new Tampered();
    }
  }

  /** Hands out what lies in the range, and wipes what lies before and after it. */
  #release(text: Buffer): void {
    const start = Math.min(this.#skipBytes, text.length);
    const end = Math.min(start + this.#wantedBytes, text.length);
    this.#skipBytes -= start;
    this.#wantedBytes -= end - start;
    text.fill(0, 0, start).fill(0, end);
    if (end > start) this.push(text.subarray(start, end));
  }
}
