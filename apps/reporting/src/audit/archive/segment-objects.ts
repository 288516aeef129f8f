import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { sha256 } from '@vaultsvc/crypto/hash';
import { NotFound, Objects } from '@vaultsvc/objects';
import { DamagedSegment, type SegmentRange } from './segment-format.js';
import type { Segment } from './segments.repository.js';

const FOLDER = 'audit-segments';
/** Sorts numbers as texts. */
const SEQ_DIGITS = 16;

/** The objects of segments: one for each, below the id of its account. Its methods throw Unavailable. */
@Injectable()
export class SegmentObjects {
  constructor(private readonly objects: Objects) {}

  store(object: string, bytes: Buffer): Promise<void> {
    return this.objects.put(object, Readable.from([bytes], { objectMode: false }), bytes.length);
  }

  /** @throws DamagedSegment for an object that is missing or changed */
  async read({ object, digest }: Pick<Segment, 'object' | 'digest'>): Promise<Buffer> {
    const bytes = await this.#bytesOf(object);
    if (!sha256(bytes).equals(digest))
      throw new DamagedSegment(`the object ${object} of the audit archive was changed`);
    return bytes;
  }

  deleteMany(objects: readonly string[]): Promise<void> {
    return this.objects.deleteMany(objects);
  }

  async #bytesOf(object: string): Promise<Buffer> {
    try {
      return await buffer(await this.objects.read(object));
    } catch (error) {
      if (error instanceof NotFound)
        throw new DamagedSegment(`the object ${object} of the audit archive is missing`, { cause: error });
      throw error;
    }
  }
}

/** A new name for each attempt, so that two instances that archive the same entries do not replace each other's object. */
export function newObjectName({ accountId, lastSeq }: SegmentRange): string {
  return `${FOLDER}/${accountId}/${String(lastSeq).padStart(SEQ_DIGITS, '0')}-${randomUUID()}`;
}
