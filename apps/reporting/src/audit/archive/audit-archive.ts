import { Injectable } from '@nestjs/common';
import { entryHash, type ChainEntry, type JsonObject } from '@vaultsvc/transparency';
import {
  matchesQuery,
  valuesOfQuery,
  type ArchivedContent,
  type ArchivedEntry,
  type ArchiveQuery,
} from './archived-entry.js';
import { filterKeyOf, SegmentFilter, type FilterKey } from './segment-filter.js';
import { DamagedSegment, decodeSegment, type SegmentContent } from './segment-format.js';
import { SegmentKeysRepository } from './segment-keys.repository.js';
import { SegmentObjects } from './segment-objects.js';
import { SegmentsRepository, type Segment, type SegmentSearch } from './segments.repository.js';

/** Objects that one page of a list opens, and segments whose filters it reads. After them it ends, with a cursor. */
const OPENED_MAX = 8;
const LOOKED_AT_MAX = 500;
/** Segments in which a search for few entries looks, the newest: ten million entries. */
const SEARCHED_MAX = 5_000;

/** An archived entry that can be read. */
export type ReadableEntry = ArchivedEntry & { readonly content: ArchivedContent };

/** Entries of a list, the newest first. */
export interface ArchivedPage {
  readonly entries: readonly ReadableEntry[];
  /** More may be before this number; null at the end of the archive. */
  readonly moreBefore: number | null;
}

/**
 * Reads archived entries: each chain up to the last entry of its newest segment. Its methods throw Unavailable while the object store
 * is, and DamagedSegment for an object that is lost or changed.
 */
@Injectable()
export class AuditArchive {
  constructor(
    private readonly segments: SegmentsRepository,
    private readonly keys: SegmentKeysRepository,
    private readonly objects: SegmentObjects,
  ) {}

  /** At most `limit` entries of a query, the newest first; with a condition, those that meet it. */
  async list(
    accountId: string,
    query: ArchiveQuery,
    beforeSeq: number | null,
    limit: number,
    condition: (entry: ReadableEntry) => boolean = () => true,
  ): Promise<ArchivedPage> {
    const before = beforeSeq ?? Infinity;
    const entries: ReadableEntry[] = [];
    const wanted = keysOf(valuesOfQuery(query));
    if (wanted.some((keys) => keys.length === 0)) return { entries, moreBefore: null };
    let opened = 0;
    let lookedAt = 0;
    for await (const segment of this.segments.newestFirst({ ...query, accountId, beforeSeq })) {
      const isEnough = entries.length >= limit || opened === OPENED_MAX || lookedAt === LOOKED_AT_MAX;
      if (isEnough) return { entries: entries.slice(0, limit), moreBefore: segment.lastSeq + 1 };
      lookedAt += 1;
      if (!mayHave(segment, wanted)) continue;
      opened += 1;
      const found = (await this.#open(segment)).entries.filter(
        (entry) => entry.seq < before && matchesQuery(entry, query),
      );
      entries.push(...(found as ReadableEntry[]).filter(condition).toReversed());
    }
    return { entries: entries.slice(0, limit), moreBefore: null };
  }

  /** Whether the newest 5,000 segments have an entry of a query. */
  async has(accountId: string, query: ArchiveQuery): Promise<boolean> {
    const wanted = keysOf(valuesOfQuery(query));
    let searched = 0;
    for await (const segment of this.segments.newestFirst({ ...query, accountId })) {
      if (searched++ === SEARCHED_MAX) return false;
      if (
        mayHave(segment, wanted) &&
        (await this.#open(segment)).entries.some((entry) => matchesQuery(entry, query))
      )
        return true;
    }
    return false;
  }

  /** Readable entries of segments that have one of these values, the newest first, in the newest 5,000 segments of the search. */
  async *withValues(search: SegmentSearch, values: readonly string[]): AsyncGenerator<ReadableEntry> {
    if (values.length === 0) return;
    const wanted = keysOf([values]);
    let searched = 0;
    for await (const segment of this.segments.newestFirst(search)) {
      if (searched++ === SEARCHED_MAX) return;
      if (!mayHave(segment, wanted)) continue;
      for (const entry of (await this.#open(segment)).entries.toReversed())
        if (entry.content) yield entry as ReadableEntry;
    }
  }

  /** At most `limit` archived entries of a chain between two numbers, in their order, with their hashes. */
  async chain(
    accountId: string,
    firstSeq: number,
    lastSeq: number,
    limit: number,
  ): Promise<readonly ChainEntry[]> {
    const chain: ChainEntry[] = [];
    const search = { accountId, afterSeq: firstSeq - 1, beforeSeq: lastSeq + 1 };
    for await (const segment of this.segments.oldestFirst(search)) {
      const linked = linkedEntries(segment, await this.#open(segment));
      chain.push(...linked.filter(({ seq }) => seq >= firstSeq && seq <= lastSeq));
      if (chain.length >= limit) break;
    }
    return chain.slice(0, limit);
  }

  /** The numbers of the first and the last archived entry in a range of time, epoch milliseconds, `toMs` excluded; null without any. */
  async range(accountId: string, fromMs: number | null, toMs: number | null) {
    const search: SegmentSearch = { accountId, from: secondsOf(fromMs), to: secondsOf(toMs, 1) };
    const isIn = ({ at }: ArchivedEntry) => (fromMs === null || at >= fromMs) && (toMs === null || at < toMs);
    const isWhole = ({ firstAt, lastAt }: Segment) =>
      (fromMs === null || firstAt >= fromMs) && (toMs === null || lastAt < toMs);
    const first = await firstOf(this.segments.oldestFirst(search), async (segment) =>
      isWhole(segment) ? segment.firstSeq : (await this.#open(segment)).entries.find(isIn)?.seq,
    );
    if (first === null) return { firstSeq: null, lastSeq: null };
    const last = await firstOf(this.segments.newestFirst(search), async (segment) =>
      isWhole(segment) ? segment.lastSeq : (await this.#open(segment)).entries.findLast(isIn)?.seq,
    );
    return { firstSeq: first, lastSeq: last };
  }

  /** The first account, in the order of ids, that has archived entries after a place in the history of all. */
  nextAccount(account: string, seq: number): Promise<string | undefined> {
    return this.segments.nextAccount(account, seq);
  }

  async #open(segment: Segment): Promise<SegmentContent> {
    const [bytes, key] = await Promise.all([
      this.objects.read(segment),
      this.keys.ofAccount(segment.accountId),
    ]);
    if (!key) throw new DamagedSegment(`the key of the archive of ${segment.accountId} is missing`);
    return decodeSegment(segment, bytes, key, (kids) => this.keys.find(segment.accountId, kids));
  }
}

/** Hashed once, not for each segment. */
function keysOf(lists: readonly (readonly string[])[]): readonly (readonly FilterKey[])[] {
  return lists.map((values) => values.map(filterKeyOf));
}

function mayHave(segment: Segment, lists: readonly (readonly FilterKey[])[]): boolean {
  const filter = new SegmentFilter(segment.filter);
  return lists.every((keys) => keys.some((key) => filter.mayHave(key)));
}

/** The search compares whole seconds: a range of milliseconds is widened to them. */
function secondsOf(ms: number | null, atLeast = 0): number | undefined {
  return ms === null ? undefined : Math.floor(ms / 1_000) + atLeast;
}

/** The first value that is not undefined; null without one. */
async function firstOf<T>(
  items: AsyncIterable<T>,
  valueOf: (item: T) => Promise<number | undefined>,
): Promise<number | null> {
  for await (const item of items) {
    const value = await valueOf(item);
    if (value !== undefined) return value;
  }
  return null;
}

/** @throws DamagedSegment for entries that do not lead to the hash of the segment */
function linkedEntries(segment: Segment, { prevHash, entries }: SegmentContent): readonly ChainEntry[] {
  let previous = prevHash;
  const linked = entries.map(({ seq, at, type, bodyHash, content }): ChainEntry => {
    const hash = entryHash(previous, { account: segment.accountId, seq, at, type }, bodyHash);
    const entry = { seq, at, type, bodyHash, prevHash: previous, hash, content: content && parsed(content) };
    previous = hash;
    return entry;
  });
  if (!previous.equals(segment.hash))
    throw new DamagedSegment(
      `the archived entries of ${segment.accountId} up to ${segment.lastSeq} do not lead to their hash`,
    );
  return linked;
}

function parsed({ salt, body }: ArchivedContent) {
  return { salt, body: JSON.parse(body) as JsonObject };
}
