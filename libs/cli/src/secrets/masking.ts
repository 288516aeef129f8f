import { Transform, type TransformCallback } from 'node:stream';

const MASK = Buffer.from('<concealed by vaultsvc>');
/** Shorter values, such as `1` and `yes`, are no secrets; to replace them would make the output unreadable. */
const BYTES_MIN = 4;

/** Replaces values in a stream, also where they are split between its parts. */
export class Masking extends Transform {
  readonly #values: readonly Buffer[];
  #rest: Buffer = Buffer.alloc(0);

  constructor(values: Iterable<string>) {
    super();
    const all = [...new Set(values)].flatMap((value) => formsOf(value));
    // The longest first: a value may begin with another one.
    this.#values = all.filter(({ length }) => length >= BYTES_MIN).toSorted((a, b) => b.length - a.length);
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#rest = this.#replaced(Buffer.concat([this.#rest, chunk]), false);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#replaced(this.#rest, true);
    done();
  }

  /** Writes what can be written, and returns what may be the beginning of a value. */
  #replaced(bytes: Buffer, isEnd: boolean): Buffer {
    let at = 0;
    for (let next = this.#first(bytes, at); next; next = this.#first(bytes, at)) {
      const pending = isEnd ? bytes.length : this.#pendingFrom(bytes, at);
      // A longer value may begin here or before, and end in the next part.
      if (pending <= next.index) break;
      this.#write(bytes.subarray(at, next.index));
      this.#write(MASK);
      at = next.index + next.length;
    }
    const pending = isEnd ? bytes.length : this.#pendingFrom(bytes, at);
    this.#write(bytes.subarray(at, pending));
    return Buffer.from(bytes.subarray(pending));
  }

  /** The first value, and the longest of those that begin there. */
  #first(bytes: Buffer, from: number): { index: number; length: number } | undefined {
    let found: { index: number; length: number } | undefined;
    for (const value of this.#values) {
      const index = bytes.indexOf(value, from);
      if (index >= 0 && (!found || index < found.index)) found = { index, length: value.length };
    }
    return found;
  }

  /** Where the end of the bytes begins that is the beginning of a value. */
  #pendingFrom(bytes: Buffer, from: number): number {
    const longest = this.#values[0]?.length ?? 0;
    for (let at = Math.max(from, bytes.length - longest + 1); at < bytes.length; at++) {
      const end = bytes.subarray(at);
      if (
        this.#values.some((value) => value.length > end.length && value.subarray(0, end.length).equals(end))
      )
        return at;
    }
    return bytes.length;
  }

  #write(bytes: Buffer): void {
    if (bytes.length > 0) this.push(bytes);
  }
}

/** A value, and what remains of it where programs cut off its last newline, or print its lines one by one. */
function formsOf(value: string): Buffer[] {
  const lines = value.split(/\r?\n/);
  return [...new Set([value, value.trimEnd(), ...(lines.length > 1 ? lines : [])])].map((form) =>
    Buffer.from(form),
  );
}
