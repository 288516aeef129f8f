import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { NotFound, Objects } from '@vaultsvc/objects';
import { SERVED_SHARD } from '@vaultsvc/service';

const FOLDER = 'audit-log';
const CHECKPOINT = 'checkpoint';

/** A file of the log exists with another content. Storing it would publish two histories, so nobody may continue the log. */
export class LogConflict extends Error {
  override readonly name = 'LogConflict';
}

/** The files of the transparency log in the object store, by their paths in C2SP tlog-tiles. */
@Injectable()
export class LogFiles {
  readonly #folder: string;

  constructor(
    private readonly objects: Objects,
    @Inject(SERVED_SHARD) shard: number,
  ) {
    this.#folder = shard === 0 ? FOLDER : `${FOLDER}/s${shard}`; // shards may share a bucket, and its rules
  }

  /** The tile or entry bundle at a path; undefined when there is none. @throws Unavailable */
  readonly read = (path: string): Promise<Buffer | undefined> => this.#read(path);

  /**
   * Stores a tile or an entry bundle. Idempotent: the same content is stored once.
   * @throws LogConflict if the path has another content; Unavailable
   */
  async write(path: string, bytes: Buffer): Promise<void> {
    const known = await this.read(path);
    if (!known) return this.#write(path, bytes);
    if (!known.equals(bytes)) throw new LogConflict(`the log has another ${path}`);
  }

  /** The checkpoint that is public; undefined before the first one. @throws Unavailable */
  async checkpoint(): Promise<string | undefined> {
    return (await this.#read(CHECKPOINT))?.toString();
  }

  /** Replaces the public checkpoint. @throws Unavailable */
  writeCheckpoint(note: string): Promise<void> {
    return this.#write(CHECKPOINT, Buffer.from(note));
  }

  async #read(path: string): Promise<Buffer | undefined> {
    try {
      return await buffer(await this.objects.read(this.#keyOf(path)));
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  #write(path: string, bytes: Buffer): Promise<void> {
    return this.objects.put(this.#keyOf(path), Readable.from([bytes], { objectMode: false }), bytes.length);
  }

  /** Keys of objects have no dots: `tile/0/000.p/5` is stored under `audit-log/tile/0/000-p/5`. */
  #keyOf(path: string): string {
    return `${this.#folder}/${path.replace('.p/', '-p/')}`;
  }
}
