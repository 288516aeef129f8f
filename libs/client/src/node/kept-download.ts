import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { ContentHash, NO_CHUNKS, type ChunkMark } from '../transfer/content-hash.js';
import type { DownloadTicket } from '../transfer/download-ticket.js';
import { alreadyExists, cannotWrite, FileError } from './file-error.js';
import { fillPart, type FillOptions } from './fill-part.js';
import { idOf, PartFile } from './part-file.js';
import type { PrivateFile } from './private-file.js';

/** What is kept of a download that is not complete: which part belongs to which content and target. */
export interface DownloadNote {
  readonly target: string;
  readonly part: string;
  readonly partId?: string;
  readonly size: number;
  readonly versionId?: string;
  readonly contentHash?: string | null;
  /** The chunks that are in the part. */
  readonly sent?: ChunkMark;
}

/**
 * A download to a file that a later run continues, after kill -9, too. A note names the part before it exists, so that none is
 * left that nobody knows. The caller has the lock of the target.
 */
export class KeptDownload<N extends DownloadNote> {
  #note: N | undefined;
  #part: PartFile | undefined;

  private constructor(
    private readonly file: PrivateFile<N>,
    readonly target: string,
    note: N | undefined,
  ) {
    this.#note = note;
  }

  /** A note that cannot be read is that of no download. */
  static async open<N extends DownloadNote>(file: PrivateFile<N>, target: string): Promise<KeptDownload<N>> {
    const note = await file.read().catch((error: unknown) => {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    });
    return new KeptDownload(file, target, note);
  }

  get note(): N | undefined {
    return this.#note;
  }

  /**
   * Whether the target is the complete content already: an earlier run ended after it gave the file its name.
   * @throws FileError if something else is there
   */
  async isComplete(): Promise<boolean> {
    const found = await lstat(this.target, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw cannotWrite(this.target, error);
    });
    if (!found) return false;
    const { partId, contentHash } = this.#note ?? {};
    const isOwn = found.isFile() && partId === idOf(found) && typeof contentHash === 'string';
    if (isOwn && (await hashOf(this.target)) === contentHash) return true;
    throw alreadyExists(this.target);
  }

  /**
   * Opens the part of an earlier run, or makes one.
   * @param isSame whether the part of the note has the content that is to be downloaded
   * @throws FileError if it cannot be written, or there is no room for the rest
   */
  async prepare(note: N, isSame: boolean): Promise<void> {
    const before = this.#note;
    const isKept = isSame && before !== undefined;
    const kept = isKept ? await PartFile.reopen(this.target, partOf(before)) : undefined;
    if (before && !kept) await PartFile.remove(partOf(before));
    if (kept) await this.save({ ...note, part: kept.path, partId: kept.id, sent: before?.sent });
    this.#part = kept ?? (await this.#create(note));
    try {
      await this.#part.assertRoom(Math.max(0, note.size - (await this.#part.size())));
    } catch (error) {
      await this.close();
      if (!kept) await this.forget();
      throw error;
    }
  }

  /** Keeps what a later run needs. */
  async save(change: Partial<N>): Promise<void> {
    this.#note = { ...(this.#note as N), ...change };
    await this.file.write(this.#note);
  }

  /** Downloads what is missing, and gives the file its name. Returns whether the content was compared with its hash. */
  async complete(ticket: DownloadTicket, options: FillOptions): Promise<boolean> {
    const part = this.#part as PartFile;
    const known = this.#note?.sent ?? NO_CHUNKS;
    // A disk that is full ends the download by itself.
    const onMark = (sent: ChunkMark) => this.save({ sent } as Partial<N>).catch(() => undefined);
    const verified = await fillPart(part, ticket, { ...options, known, onMark });
    await part.publish(ticket.modifiedAt).catch(async (error: unknown) => {
      // The content is the user's now: no later run may delete it.
      if (error instanceof FileError && error.kept !== undefined) await this.file.remove();
      throw error;
    });
    await this.file.remove();
    return verified;
  }

  /** Ends an attempt; the part stays for the next one. */
  async close(): Promise<void> {
    await this.#part?.close();
  }

  /** Deletes what is left of the download. */
  async forget(): Promise<void> {
    await this.#part?.close();
    if (this.#note) await PartFile.remove(partOf(this.#note));
    await this.file.remove();
    this.#note = undefined;
  }

  /** Whether the part has bytes that a later run can use. */
  async hasBytes(): Promise<boolean> {
    const part = this.#note && (await lstat(this.#note.part).catch(() => undefined));
    return (part?.size ?? 0) > 0;
  }

  async #create(note: N): Promise<PartFile> {
    const path = PartFile.pathFor(this.target);
    await this.save({ ...note, part: path, partId: undefined, sent: undefined });
    const part = await PartFile.create(this.target, path).catch(async (error: unknown) => {
      await this.file.remove();
      this.#note = undefined;
      throw error;
    });
    await this.save({ partId: part.id } as Partial<N>);
    return part;
  }
}

function partOf({ part, partId }: DownloadNote) {
  return { path: part, id: partId };
}

async function hashOf(path: string): Promise<string> {
  const hash = new ContentHash();
  for await (const bytes of createReadStream(path) as AsyncIterable<Uint8Array>) await hash.update(bytes);
  return hash.digest();
}
