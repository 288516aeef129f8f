import type { DecipherGCM } from 'node:crypto';
import type { Transform } from 'node:stream';
import { TAG_BYTES } from '../aead/gcm.js';
import { Tampered } from '../errors.js';
import { type ChunkRow, openChunkRow } from './chunk-row.js';
import type { FileVersion } from './file-key.js';
import { CoalescingTransform, type InputOptions } from './coalescing-transform.js';
import type { ChunkSlice } from './layout.js';
import { SegmentCiphers } from './segment-ciphers.js';

/**
 * Decrypts the part of a range in one chunk: the input is the stored bytes of the slice, the output exactly its plaintext.
 * No plaintext of a segment is emitted before its tag is verified. Changed, missing or added bytes fail the stream with
 * `Tampered`; earlier segments may have been emitted by then, so the receiver must abort its response. The stream wipes
 * its key when it ends, fails or is destroyed. `fileKey` remains the caller's.
 * @throws WrongKey, Tampered or UnknownFormat if the row does not belong to the file, before any input is read
 */
export function openChunkRange(
  fileKey: Buffer,
  file: FileVersion,
  row: ChunkRow,
  slice: ChunkSlice,
  input?: InputOptions,
): Transform {
  if (row.chunk !== slice.chunk) throw new Tampered();
  const key = openChunkRow(fileKey, file, row);
  return new ChunkOpener(new SegmentCiphers(key, file, row.chunk), slice, input);
}

/** Decrypts segment by segment and emits the verified plaintext of the slice. */
export class ChunkOpener extends CoalescingTransform {
  readonly #ciphers: SegmentCiphers;
  readonly #endSegment: number;
  #segment: number;
  #skipBytes: number;
  #remainingBytes: number;
  #decipher: DecipherGCM;
  #ciphertextBytes: number;
  /** Plaintext of the current segment, not yet authenticated. */
  #unverified: Buffer[] = [];
  readonly #tag = Buffer.alloc(TAG_BYTES);
  #tagBytes: number;

  constructor(
    ciphers: SegmentCiphers,
    { firstSegment, segments, skipBytes, bytes }: ChunkSlice,
    input?: InputOptions,
  ) {
    super(input);
    this.#ciphers = ciphers;
    this.#segment = firstSegment;
    this.#endSegment = firstSegment + segments;
    this.#skipBytes = skipBytes;
    this.#remainingBytes = bytes;
    this.#openSegment();
  }

  protected override process(bytes: Buffer): void {
    for (let offset = 0; offset < bytes.length;) {
      if (this.#segment === this.#endSegment) throw new Tampered();
      const rest = bytes.subarray(offset);
      offset += this.#ciphertextBytes > 0 ? this.#decrypt(rest) : this.#collectTag(rest);
      if (this.#tagBytes === TAG_BYTES) this.#closeSegment();
    }
  }

  protected override assertComplete(): void {
    if (this.#segment < this.#endSegment) throw new Tampered();
  }

  protected override wipe(): void {
    this.#ciphers.wipe();
    for (const text of this.#unverified.splice(0)) text.fill(0);
  }

  #openSegment(): void {
    this.#decipher = this.#ciphers.opener(this.#segment);
    this.#ciphertextBytes = this.#ciphers.bytesOf(this.#segment);
    this.#tagBytes = 0;
  }

  #decrypt(bytes: Buffer): number {
    const piece = bytes.subarray(0, this.#ciphertextBytes);
    this.#unverified.push(this.#decipher.update(piece));
    this.#ciphertextBytes -= piece.length;
    return piece.length;
  }

  #collectTag(bytes: Buffer): number {
    const copied = bytes.copy(this.#tag, this.#tagBytes);
    this.#tagBytes += copied;
    return copied;
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

  /** Emits the plaintext in the range and wipes the plaintext before and after it. */
  #release(text: Buffer): void {
    const start = Math.min(this.#skipBytes, text.length);
    const end = Math.min(start + this.#remainingBytes, text.length);
    this.#skipBytes -= start;
    this.#remainingBytes -= end - start;
    text.fill(0, 0, start).fill(0, end);
    if (end > start) this.push(text.subarray(start, end));
  }
}
