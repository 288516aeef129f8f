import { createHash } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';

/** Beginnings of hashes, all of one length, in ascending order one after the other. */
export interface HashRun {
  /** Of each: 4 to 32. */
  readonly prefixBytes: number;
  readonly sorted: Buffer;
}

/** What makes one list the next: what leaves, by its place in the old list, and then what comes. */
export interface HashChanges {
  readonly removals: readonly number[];
  readonly additions: readonly HashRun[];
}

/** 12 million entries of 4 bytes, which is a multiple of what is listed. */
const LIST_BYTES_MAX = 48 * 1024 * 1024;
const ENTRIES_AT_ONCE = 20_000;

/** A threat list that is kept here: beginnings of SHA-256 hashes, most of them of 4 bytes. Never changes. */
export class HashList {
  static readonly empty = new HashList([], createHash('sha256').digest());

  private constructor(
    private readonly runs: readonly HashRun[],
    /** SHA-256 of all entries in lexicographic order, whatever their lengths. */
    readonly checksum: Buffer,
  ) {}

  /** Which of its entries a hash begins with. */
  prefixesOf(hash: Buffer): readonly Buffer[] {
    return this.runs
      .filter(({ prefixBytes, sorted }) => holds(sorted, hash.subarray(0, prefixBytes)))
      .map(({ prefixBytes }) => hash.subarray(0, prefixBytes));
  }

  /** The list after these changes. @throws when they do not fit: out of order, twice there, too many. */
  async with({ removals, additions }: HashChanges): Promise<HashList> {
    const inputs = [...this.runs, ...additions];
    if (inputs.reduce((sum, { sorted }) => sum + sorted.length, 0) > LIST_BYTES_MAX)
      throw new Error('the threat list is too long');
    const writer = new Writer(inputs);
    const left = new Set(removals);
    await merge([...this.runs.map(cursorOf(true)), ...additions.map(cursorOf(false))], left, writer);
    if (left.size > 0) throw new Error('entries are removed that are not there');
    return new HashList(writer.runs(), writer.checksum());
  }
}

function holds(sorted: Buffer, prefix: Buffer): boolean {
  let [from, to] = [0, sorted.length / prefix.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const start = middle * prefix.length;
    const order = prefix.compare(sorted, start, start + prefix.length);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}

/** A place in a run that is read from its beginning to its end. */
interface Cursor extends HashRun {
  readonly isOld: boolean;
  offset: number;
}

const cursorOf =
  (isOld: boolean) =>
  (run: HashRun): Cursor => ({ ...run, isOld, offset: 0 });

/** Entries are numbered as they stand in the old list. Lets others work in between: lists hold millions. */
async function merge(cursors: readonly Cursor[], removals: Set<number>, writer: Writer): Promise<void> {
  let oldIndex = 0;
  for (let count = 1; ; count += 1) {
    const next = leastOf(cursors);
    if (!next) return;
    const isRemoved = next.isOld && removals.delete(oldIndex++);
    if (!isRemoved) writer.append(next);
    next.offset += next.prefixBytes;
    if (count % ENTRIES_AT_ONCE === 0) await othersFirst();
  }
}

/** Of equal ones the older, so that an entry may leave and come again. */
function leastOf(cursors: readonly Cursor[]): Cursor | undefined {
  let least: Cursor | undefined;
  for (const cursor of cursors)
    if (cursor.offset < cursor.sorted.length && (!least || compare(cursor, least) < 0)) least = cursor;
  return least;
}

type Entry = Pick<Cursor, 'sorted' | 'prefixBytes' | 'offset'>;

function compare(a: Entry, b: Entry): number {
  return a.sorted.compare(b.sorted, b.offset, b.offset + b.prefixBytes, a.offset, a.offset + a.prefixBytes);
}

/** Sorts entries by length again, and adds them up for the checksum. */
class Writer {
  readonly #outputs = new Map<number, { readonly bytes: Buffer; end: number }>();
  readonly #hash = createHash('sha256');
  readonly #pending = Buffer.alloc(64 * 1024);
  #pendingEnd = 0;
  #last: Entry | undefined;

  constructor(inputs: readonly HashRun[]) {
    const room = new Map<number, number>();
    for (const { prefixBytes, sorted } of inputs)
      room.set(prefixBytes, (room.get(prefixBytes) ?? 0) + sorted.length);
    for (const [prefixBytes, bytes] of room)
      this.#outputs.set(prefixBytes, { bytes: Buffer.alloc(bytes), end: 0 });
  }

  append({ sorted, prefixBytes, offset }: Entry): void {
    if (this.#last && compare(this.#last, { sorted, prefixBytes, offset }) >= 0)
      throw new Error('the threat list is not in order');
    const output = this.#outputs.get(prefixBytes);
    if (!output) throw new Error('an entry of a length that was not announced');
    this.#last = { sorted: output.bytes, prefixBytes, offset: output.end };
    output.end += sorted.copy(output.bytes, output.end, offset, offset + prefixBytes);
    if (this.#pendingEnd + prefixBytes > this.#pending.length) this.#flush();
    this.#pendingEnd += sorted.copy(this.#pending, this.#pendingEnd, offset, offset + prefixBytes);
  }

  runs(): readonly HashRun[] {
    const runs = [...this.#outputs].map(([prefixBytes, { bytes, end }]) => ({
      prefixBytes,
      sorted: Buffer.from(bytes.subarray(0, end)),
    }));
    return runs.filter(({ sorted }) => sorted.length > 0);
  }

  checksum(): Buffer {
    this.#flush();
    return this.#hash.digest();
  }

  #flush(): void {
    this.#hash.update(this.#pending.subarray(0, this.#pendingEnd));
    this.#pendingEnd = 0;
  }
}
