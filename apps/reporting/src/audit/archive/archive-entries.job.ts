import { Injectable, Logger } from '@nestjs/common';
import { errorCodeOf } from '@vaultsvc/database';
import { Unavailable } from '@vaultsvc/objects';
import type { Job } from '@vaultsvc/service';
import { Counter } from 'prom-client';
import { ReportingConfig } from '../../config.js';
import { newSegment } from './new-segment.js';
import { SegmentKeysRepository } from './segment-keys.repository.js';
import { newObjectName, SegmentObjects } from './segment-objects.js';
import { SegmentsRepository, type NewSegment } from './segments.repository.js';

/** Entries of a segment. Fewer of an account stay in the database. */
const SEGMENT_ENTRIES = 2_048;
/** Attempts of one run, for which a shutdown waits: 6,800 entries a second. */
const ATTEMPTS_MAX = 200;

/** Longer than backups are kept: after a restore to a later moment an object may belong to a segment again. */
const ORPHAN_DAYS = 90;
const DAY_MS = 86_400_000;

const archived = new Counter({
  name: 'vaultsvc_audit_archived_entries_total',
  help: 'Entries of the audit log that this instance has moved to the object store.',
});

const failures = new Counter({
  name: 'vaultsvc_audit_archive_failures_total',
  help: 'Attempts of this instance to archive entries of an account that failed. The entries stay in the database, and it tries again.',
});

/**
 * Moves entries that are older than `AUDIT_ARCHIVE_AFTER_SECONDS` to the object store (ADR 59), unless copies of a release run that cannot read
 * them there. Safe on any number of instances: of two that archive the same entries, one records its segment.
 */
@Injectable()
export class ArchiveEntries implements Job {
  readonly everySeconds = 60;
  readonly #logger = new Logger('audit-archive');

  constructor(
    private readonly config: ReportingConfig,
    private readonly segments: SegmentsRepository,
    private readonly keys: SegmentKeysRepository,
    private readonly objects: SegmentObjects,
  ) {}

  async run(): Promise<void> {
    const { AUDIT_ARCHIVE_AFTER_SECONDS: seconds, OLDEST_RELEASE: oldest } = this.config;
    if (seconds === 0 || oldest === '0.1') return;
    await this.archiveBefore(Date.now() - seconds * 1_000);
    await this.deleteOrphans(Date.now());
  }

  /** Archives what is older than a time, epoch milliseconds, in segments of so many entries. */
  async archiveBefore(olderThanMs: number, segmentEntries = SEGMENT_ENTRIES): Promise<void> {
    let left = ATTEMPTS_MAX;
    for (let account = ''; left > 0;) {
      const due = await this.segments.due(segmentEntries, olderThanMs, account);
      if (due.length === 0) return;
      for (const accountId of due) {
        if (left <= 0) return;
        left -= await this.#archiveOrReport(accountId, olderThanMs, segmentEntries, left);
      }
      account = due.at(-1) ?? account;
    }
  }

  /** One account does not stop the others, but for an object store that is down. Returns how many attempts it took. */
  async #archiveOrReport(
    accountId: string,
    olderThanMs: number,
    segmentEntries: number,
    most: number,
  ): Promise<number> {
    let count = 0;
    try {
      while (count < most && (await this.#archiveNext(accountId, olderThanMs, segmentEntries))) count += 1;
    } catch (error) {
      failures.inc();
      this.#logger.warn({ msg: 'entries not archived', accountId, err: error });
      return error instanceof Unavailable ? most : count + 1;
    }
    return count;
  }

  /** False when too few entries are old enough, or others have changed or archived them meanwhile. */
  async #archiveNext(accountId: string, olderThanMs: number, segmentEntries: number): Promise<boolean> {
    const position = await this.segments.position(accountId);
    const found = await this.segments.entriesAfter(position, segmentEntries);
    const isComplete = found.length === segmentEntries && found[0]?.seq === position.seq + 1;
    if (!isComplete || found.some(({ at }) => at >= olderThanMs)) return false;
    const segment = await newSegment(position, found, this.keys);
    if (!segment) return false;
    const object = newObjectName(segment.range);
    await this.segments.begin(object);
    await this.objects.store(object, segment.bytes);
    if (!(await this.#record({ ...segment.record, object }))) return false;
    archived.inc(segment.record.lastSeq - segment.record.firstSeq + 1);
    return true;
  }

  /** The object of a segment that PostgreSQL has refused is deleted. After any other error it may have been recorded. */
  async #record(segment: NewSegment): Promise<boolean> {
    try {
      await this.segments.record(segment);
      return true;
    } catch (error) {
      if (errorCodeOf(error) !== REFUSED) throw error;
      await this.#delete(await this.segments.end(segment));
      return false;
    }
  }

  /** Deletes objects without a segment that were begun long ago. @param nowMs epoch milliseconds */
  async deleteOrphans(nowMs: number): Promise<void> {
    await this.#delete(await this.segments.end({ beforeMs: nowMs - ORPHAN_DAYS * DAY_MS }));
  }

  /** Objects that cannot be deleted are noted again: they are tried after another 90 days. */
  async #delete(objects: readonly string[]): Promise<void> {
    try {
      if (objects.length > 0) await this.objects.deleteMany(objects);
    } catch (error) {
      this.#logger.warn({ msg: 'objects without a segment remain', objects, err: error });
      for (const object of objects) await this.segments.begin(object);
    }
  }
}

/** By `archive_audit_entries`: object_not_in_prerequisite_state. */
const REFUSED = '55000';
