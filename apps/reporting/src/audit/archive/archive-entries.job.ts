import { Injectable, Logger } from '@nestjs/common';
import { sha256 } from '@vaultsvc/crypto/hash';
import { canonicalBodyHash, entryHash } from '@vaultsvc/transparency';
import type { Job } from '@vaultsvc/service';
import { Counter } from 'prom-client';
import { AuditLogConfig } from '../../settings/audit-log-config.js';
import { filterValuesOf, type ArchivedEntry } from './archived-entry.js';
import { SegmentFilter } from './segment-filter.js';
import { encodeSegment } from './segment-format.js';
import { SegmentKeysRepository, type SegmentKey } from './segment-keys.repository.js';
import { SegmentObjects } from './segment-objects.js';
import { SegmentsRepository, type DueChain, type StoredEntry } from './segments.repository.js';

/** Fewer entries of an account stay in the database. */
const SEGMENT_ENTRIES = 2_048;
/** Bodies of a segment: it is read as a whole. */
const BODY_BYTES_MAX = 2 * 1024 * 1024;
/** These stay readable when their vault is deleted, as the account's record of it (AUD-13). */
const OF_ACCOUNT: ReadonlySet<string> = new Set(['vault_created', 'vault_deleted']);

const archived = new Counter({
  name: 'vaultsvc_audit_archived_entries_total',
  help: 'Entries of the audit log that this instance has moved to the object store.',
});

const failures = new Counter({
  name: 'vaultsvc_audit_archive_failures_total',
  help: 'Segments of the audit log that this instance could not archive. Their entries stay in the database, and it tries again.',
});

/**
 * Moves entries that are older than `AUDIT_ARCHIVE_AFTER_SECONDS` to the object store (ADR 59). Safe on any number of instances: of two that
 * archive the same entries, one records its segment.
 */
@Injectable()
export class ArchiveEntries implements Job {
  readonly everySeconds = 60;
  readonly #logger = new Logger('audit-archive');

  constructor(
    private readonly config: AuditLogConfig,
    private readonly segments: SegmentsRepository,
    private readonly keys: SegmentKeysRepository,
    private readonly objects: SegmentObjects,
  ) {}

  async run(): Promise<void> {
    const { AUDIT_ARCHIVE_AFTER_SECONDS: seconds } = this.config;
    if (seconds > 0) await this.archiveBefore(Date.now() - seconds * 1_000);
  }

  /** Archives what is older than a time, epoch milliseconds, in segments of so many entries. */
  async archiveBefore(olderThanMs: number, segmentEntries = SEGMENT_ENTRIES): Promise<void> {
    for (let account = ''; ;) {
      const due = await this.segments.due(segmentEntries, olderThanMs, account);
      if (due.length === 0) return;
      for (const chain of due) await this.#archiveOrReport(chain, olderThanMs, segmentEntries);
      account = due.at(-1)?.accountId ?? account;
    }
  }

  /** One account does not stop the others. */
  async #archiveOrReport(chain: DueChain, olderThanMs: number, segmentEntries: number): Promise<void> {
    try {
      await this.objects.deleteLeft(chain.accountId, chain.firstSeq);
      for (let next: DueChain | undefined = chain; next;)
        next = await this.#archiveNext(next, olderThanMs, segmentEntries);
    } catch (error) {
      failures.inc();
      this.#logger.warn({ msg: 'entries not archived', accountId: chain.accountId, err: error });
    }
  }

  /** Archives a segment, and returns where the next one begins; undefined when too few entries are old enough. */
  async #archiveNext(
    chain: DueChain,
    olderThanMs: number,
    segmentEntries: number,
  ): Promise<DueChain | undefined> {
    const found = await this.segments.entriesFrom(chain, segmentEntries);
    if (found.length < segmentEntries || found.some(({ at }) => at >= olderThanMs)) return undefined;
    const entries = upToBytes(found);
    const last = assertChain(chain, entries);
    const range = { accountId: chain.accountId, firstSeq: chain.firstSeq, lastSeq: last.seq };
    const keyOf = await this.#keys(chain.accountId, entries);
    const account = keyOf(undefined);
    const bytes = await encodeSegment(range, { prevHash: chain.prevHash, entries }, account, keyOf);
    const object = await this.objects.store(range, bytes);
    const readable = entries.filter(({ content }) => content);
    try {
      await this.segments.record({
        ...range,
        object,
        digest: sha256(bytes),
        filter: SegmentFilter.of(new Set(entries.flatMap(filterValuesOf))).bytes,
        erased: entries.length - readable.length,
        kids: [...new Set([account, ...readable.map(keyOf)].map(({ kid }) => kid))],
      });
    } catch (error) {
      await this.objects.delete(object);
      throw error;
    }
    archived.inc(entries.length);
    return { accountId: chain.accountId, firstSeq: last.seq + 1, prevHash: last.hash };
  }

  async #keys(accountId: string, entries: readonly ArchivedEntry[]) {
    const vaultIds = new Set(entries.flatMap((entry) => vaultOf(entry) ?? []));
    const keys = await this.keys.ensure(accountId, [...vaultIds]);
    return (entry: ArchivedEntry | undefined) => keys.get((entry && vaultOf(entry)) ?? '') as SegmentKey;
  }
}

/** The vault with which the content of an entry ends. */
function vaultOf({ type, content }: ArchivedEntry): string | undefined {
  return OF_ACCOUNT.has(type) ? undefined : (content?.vaultId ?? undefined);
}

/** The first entries, one at least, whose bodies have this many bytes. */
function upToBytes(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  let bytes = 0;
  const tooMany = entries.findIndex(
    ({ content }, index) => (bytes += content?.body.length ?? 0) > BODY_BYTES_MAX && index > 0,
  );
  return tooMany === -1 ? entries : entries.slice(0, tooMany);
}

/** Hashes of archived entries are made from their contents: archiving must not mend, and so hide, a chain that does not fit. */
function assertChain(
  { accountId, firstSeq, prevHash }: DueChain,
  entries: readonly StoredEntry[],
): StoredEntry {
  let previous = prevHash;
  for (const [index, { seq, at, type, bodyHash, hash, content }] of entries.entries()) {
    const isBody = !content || canonicalBodyHash(content.salt, Buffer.from(content.body)).equals(bodyHash);
    const isNext =
      seq === firstSeq + index &&
      entryHash(previous, { account: accountId, seq, at, type }, bodyHash).equals(hash);
    if (!isBody || !isNext)
      throw new Error(`entry ${seq} of the audit log does not follow from its body and the one before`);
    previous = hash;
  }
  return entries.at(-1) as StoredEntry;
}
