import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Hash prefixes of one length, concatenated in ascending order. */
export interface HashRun {
  /** The length of each prefix: 4 to 32. */
  readonly prefixBytes: number;
  readonly sorted: Buffer;
}

/** The difference between two versions of a list: indices into the old list, removed first, and new entries. */
export interface HashChanges {
  readonly removals: readonly number[];
  readonly additions: readonly HashRun[];
}

/** 12 million entries of 4 bytes, several times the size of Web Risk's lists. */
const LIST_BYTES_MAX = 48 * 1024 * 1024;
const ENTRIES_PER_TICK = 20_000;

/** An immutable threat list: prefixes of SHA-256 hashes, most of 4 bytes. */
export class HashList {
  static readonly empty = new HashList([], createHash('sha256').digest());

  private constructor(
    private readonly runs: readonly HashRun[],
    /** SHA-256 of all entries in lexicographic order. */
    readonly checksum: Buffer,
  ) {}

  /** The entries that are prefixes of a hash. */
  prefixesOf(hash: Buffer): readonly Buffer[] {
    return this.runs
      .filter(({ prefixBytes, sorted }) => includesPrefix(sorted, hash.subarray(0, prefixBytes)))
      .map(({ prefixBytes }) => hash.subarray(0, prefixBytes));
  }

  /** The list after these changes. @throws for entries out of order, duplicates, and too many entries */
  async with({ removals, additions }: HashChanges): Promise<HashList> {
    const inputs = [...this.runs, ...additions];
    if (inputs.reduce((sum, { sorted }) => sum + sorted.length, 0) > LIST_BYTES_MAX)
      throw new Error('the threat list is too long');
    const writer = new RunWriter(inputs);
    const left = new Set(removals);
    await merge([...this.runs.map(cursorOf(true)), ...additions.map(cursorOf(false))], left, writer);
    if (left.size > 0) throw new Error('removals name entries that do not exist');
    return new HashList(writer.runs(), writer.checksum());
  }
}

function includesPrefix(sorted: Buffer, prefix: Buffer): boolean {
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

/** A position in a run. */
interface Cursor extends HashRun {
  readonly isOld: boolean;
  offset: number;
}

const cursorOf =
  (isOld: boolean) =>
  (run: HashRun): Cursor => ({ ...run, isOld, offset: 0 });

/** Removals are indices into the old list. Yields to the event loop in between: lists have millions of entries. */
async function merge(cursors: readonly Cursor[], removals: Set<number>, writer: RunWriter): Promise<void> {
  let oldIndex = 0;
  for (let count = 1; ; count += 1) {
    const next = leastOf(cursors);
    if (!next) return;
    const isRemoved = next.isOld && removals.delete(oldIndex++);
    if (!isRemoved) writer.append(next);
    next.offset += next.prefixBytes;
    if (count % ENTRIES_PER_TICK === 0) await yieldToEventLoop();
  }
}

/** Of equal entries the old one, so that a diff may remove an entry and add it again. */
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

/** Collects merged entries by length, and hashes them for the checksum. */
class RunWriter {
  readonly #outputs = new Map<number, { readonly bytes: Buffer; end: number }>();
  readonly #hash = createHash('sha256');
  readonly #pending = Buffer.alloc(64 * 1024);
  #pendingEnd = 0;
  #last: Entry | undefined;

  constructor(inputs: readonly HashRun[]) {
    const capacities = new Map<number, number>();
    for (const { prefixBytes, sorted } of inputs)
      capacities.set(prefixBytes, (capacities.get(prefixBytes) ?? 0) + sorted.length);
    for (const [prefixBytes, bytes] of capacities)
      this.#outputs.set(prefixBytes, { bytes: Buffer.alloc(bytes), end: 0 });
  }

  append({ sorted, prefixBytes, offset }: Entry): void {
    if (this.#last && compare(this.#last, { sorted, prefixBytes, offset }) >= 0)
      throw new Error('the threat list is not in order');
    const output = this.#outputs.get(prefixBytes);
    if (!output) throw new Error('an entry of an unexpected length');
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
