import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accountEntryLine } from '@vaultsvc/transparency';
import { FeedRepository, type AccountEntry, type HistoryCursor } from './feed.repository.js';
import type { SinkBatch } from './sink.js';
import { SinkRepository, type LeasedSink, type Sender } from './sink.repository.js';

const BATCH_BYTES_MAX = 1024 * 1024;
const ID_DIGITS = 16;

/** The next entries of a sink, and its cursor after them. */
export interface NextBatch {
  /** Undefined where only the cursor moves. */
  readonly batch: SinkBatch | undefined;
  readonly position: number;
  readonly history: HistoryCursor | null;
}

/** Reads the next batch of a sink: older entries first, if it has asked for them, then the feed. */
@Injectable()
export class SinkBatchReader {
  constructor(
    private readonly feed: FeedRepository,
    private readonly sinks: SinkRepository,
  ) {}

  /** Undefined while there is nothing to send, or when the lease was lost. */
  async next(sender: Sender, sink: LeasedSink): Promise<NextBatch | undefined> {
    if (!sink.history) return this.#fromFeed(sender, sink);
    return sink.isHistoryComplete ? this.#fromHistory(sink, sink.history) : undefined;
  }

  /** The end of the batch is recorded before it is sent, so that a repetition sends the same entries under the same id. */
  async #fromFeed(sender: Sender, sink: LeasedSink): Promise<NextBatch | undefined> {
    const { position, batchPosition } = sink;
    const entries = await this.feed.read(position, batchPosition);
    const rows = groupBy(entries, (entry) => entry.position);
    const chosen = upToBytes(rows, batchPosition === null ? BATCH_BYTES_MAX : Infinity);
    const last = chosen.at(-1)?.at(-1);
    if (!last) return undefined;
    if (batchPosition === null && !(await this.sinks.startBatch(sender, position, last.position)))
      return undefined;
    const batch = batchOf(chosen.flat(), sink, last.appendedAt);
    return { batch, position: last.position, history: null };
  }

  /** An entry that is appended meanwhile may be sent twice: with the older ones of its account, and from the feed. */
  async #fromHistory(sink: LeasedSink, { account, seq }: HistoryCursor): Promise<NextBatch> {
    const entries = await this.feed.readHistory({ account, seq });
    const chosen = upToBytes(
      entries.map((entry) => [entry]),
      BATCH_BYTES_MAX,
    ).flat();
    const last = chosen.at(-1);
    if (!last) return { batch: undefined, position: sink.position, history: null };
    const history = { account: last.account, seq: last.entry.seq };
    return { batch: batchOf(chosen, sink, sink.createdAt), position: sink.position, history };
  }
}

function lineOf({ account, entry }: AccountEntry): string {
  return `${accountEntryLine(account, entry)}\n`;
}

function batchOf(entries: readonly AccountEntry[], { entriesSent }: LeasedSink, at: Date): SinkBatch {
  const lines = Buffer.from(entries.map(lineOf).join(''));
  // Over hashes and not over lines: a body that is erased between two attempts does not change the id.
  const hash = createHash('sha256');
  for (const { entry } of entries) hash.update(entry.hash);
  const id = `${String(entriesSent).padStart(ID_DIGITS, '0')}-${hash.digest('hex').slice(0, ID_DIGITS)}`;
  return { id, lines, entries: entries.length, at };
}

/** The first groups, one at least, whose lines have this many bytes. */
function upToBytes<T extends AccountEntry>(
  groups: readonly (readonly T[])[],
  bytesMax: number,
): readonly (readonly T[])[] {
  let bytes = 0;
  const tooMany = groups.findIndex((group, index) => {
    bytes += Buffer.byteLength(group.map(lineOf).join(''));
    return bytes > bytesMax && index > 0;
  });
  return tooMany === -1 ? groups : groups.slice(0, tooMany);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): readonly (readonly T[])[] {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
