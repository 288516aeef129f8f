import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parseLogLine, type LogEntry } from './log-entry.ts';

const bytesAtOnce = 8 * 2 ** 20;

const lineFeed = 10;

/**
 * The log of one service or server, read from its last 8 MiB on. A start of the stack renames the file and writes a new
 * one, which is read from its beginning.
 */
export class LogFile {
  #inode = 0;
  #offset = 0;
  #rest = Buffer.alloc(0);
  #before: { time: number; level?: string } = { time: 0 };

  readonly source: string;
  readonly path: string;
  readonly textLevel: string | undefined;

  /**
   * @param source the service or server
   * @param textLevel the level of text in no known format
   */
  constructor(source: string, path: string, textLevel?: string) {
    this.source = source;
    this.path = path;
    this.textLevel = textLevel;
  }

  /** @returns the entries that were written since the last call; of a first call, the newest */
  read(): LogEntry[] {
    const bytes = this.#newBytes();
    const end = bytes.lastIndexOf(lineFeed);
    this.#rest = Buffer.from(bytes.subarray(end + 1));
    const lines = bytes.subarray(0, Math.max(end, 0)).toString().split('\n');
    return lines.filter(Boolean).map((line) => this.#parse(line));
  }

  #parse(line: string) {
    const { time } = this.#before;
    const entry = parseLogLine(this.source, line, { time, level: this.textLevel });
    this.#before = entry;
    return entry;
  }

  /** The text that was not parsed yet: an unfinished line, and later text. */
  #newBytes() {
    const file = this.#open();
    if (file === undefined) return this.#rest;
    try {
      const { ino, size, birthtimeMs } = fstatSync(file);
      const isCut = this.#follow(ino, size, birthtimeMs);
      const bytes = Buffer.alloc(Math.min(size - this.#offset, bytesAtOnce));
      const count = readSync(file, bytes, 0, bytes.length, this.#offset);
      this.#offset += count;
      const read = Buffer.concat([this.#rest, bytes.subarray(0, count)]);
      // The first line of the last 8 MiB lacks its beginning.
      return isCut ? read.subarray(read.indexOf(lineFeed) + 1) : read;
    } finally {
      closeSync(file);
    }
  }

  /** @returns whether the read starts within a line */
  #follow(inode: number, size: number, createdAt: number): boolean {
    if (inode === this.#inode && size >= this.#offset) return false;
    const isFirst = this.#inode === 0;
    this.#inode = inode;
    this.#rest = Buffer.alloc(0);
    this.#before = { time: createdAt };
    this.#offset = isFirst ? Math.max(0, size - bytesAtOnce) : 0;
    return this.#offset > 0;
  }

  #open() {
    try {
      return openSync(this.path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
