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
/** An object that is older and belongs to no segment was left by an instance that died. */
const LEFT_AFTER_MS = 3_600_000;

/** The objects of segments: one for each, below the id of its account. Its methods throw Unavailable. */
@Injectable()
export class SegmentObjects {
  constructor(private readonly objects: Objects) {}

  /** Stores a segment under a new name, so that two instances that archive the same entries do not replace each other's object. */
  async store({ accountId, lastSeq }: SegmentRange, bytes: Buffer): Promise<string> {
    const object = `${folderOf(accountId)}${String(lastSeq).padStart(SEQ_DIGITS, '0')}-${randomUUID()}`;
    await this.objects.put(object, Readable.from([bytes], { objectMode: false }), bytes.length);
    return object;
  }

  /** @throws DamagedSegment for an object that is missing or changed */
  async read({ object, digest }: Pick<Segment, 'object' | 'digest'>): Promise<Buffer> {
    const bytes = await this.#bytesOf(object);
    if (!sha256(bytes).equals(digest))
      throw new DamagedSegment(`the object ${object} of the audit archive was changed`);
    return bytes;
  }

  delete(object: string): Promise<void> {
    return this.objects.delete(object);
  }

  /** Deletes what instances left that died between storing an object and recording it, from the first number that is not archived on. */
  async deleteLeft(accountId: string, firstSeq: number): Promise<void> {
    const prefix = folderOf(accountId);
    const after = `${prefix}${String(firstSeq - 1).padStart(SEQ_DIGITS, '0')}-z`;
    const { objects } = await this.objects.list({ prefix, after });
    const left = objects.filter(({ modifiedAt }) => modifiedAt.getTime() < Date.now() - LEFT_AFTER_MS);
    await this.objects.deleteMany(left.map(({ key }) => key));
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

function folderOf(accountId: string): string {
  return `${FOLDER}/${accountId}/`;
}
