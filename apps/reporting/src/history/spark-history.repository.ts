import { Injectable } from '@nestjs/common';
import type { AuditType, SparkHistoryQuery } from '@vaultsvc/contracts/reporting';
import { Database, epochSeconds, readPosition, statement, type Page } from '@vaultsvc/database';
import { subjectOfOutcome } from '../audit/archive/archived-entry.js';
import { AuditArchive, type ReadableEntry } from '../audit/archive/audit-archive.js';
import { continuedPage, type ContinuedPage } from '../audit/archive/continued-page.js';
import { assertTimeRange } from '../audit/time-range.js';
import {
  historySubject,
  isNewIngotLink,
  isOutcome,
} from '../migrations/1770000000010-index-spark-history.js';
import type { CreationEntry, OutcomeEntry } from './history-entry.js';

/** Most outcomes of one Spark or link that are read. */
export const OUTCOMES_MAX = 50;

/** Reads the entries of the audit log that make up the history of Sparks and links, archived ones too. */
@Injectable()
export class SparkHistoryRepository {
  constructor(
    private readonly database: Database,
    private readonly archive: AuditArchive,
  ) {}

  /**
   * The creations of Sparks and links of ingots, newest first.
   *
   * @throws AppError VALIDATION_ERROR for a range of time that ends before it begins
   */
  async listCreations(accountId: string, query: SparkHistoryQuery): Promise<Page<CreationEntry>> {
    const { limit, cursor, from, to, created_by } = query;
    assertTimeRange({ from, to });
    const [position] = readPosition(cursor, 1) ?? [];
    const before = position === undefined ? null : Number(position);
    const values = [accountId, before, limit + 1, from ?? null, to ?? null, NEW_SPARK];
    const rows =
      created_by === undefined
        ? await this.database.query<CreationEntry>(historyStatements.all, values)
        : await this.database.query<CreationEntry>(historyStatements.ofActor, [...values, created_by]);
    return continuedPage(rows, limit, before, (beforeSeq, missing) =>
      this.#archivedCreations(accountId, query, beforeSeq, missing),
    );
  }

  /**
   * The newest outcomes of each of these Sparks and links, newest first.
   *
   * @param afterSeq a number before all of them: that of the first creation
   */
  async listOutcomes(
    accountId: string,
    subjects: readonly string[],
    afterSeq: number,
  ): Promise<OutcomeEntry[]> {
    const outcomes = await this.database.query<OutcomeEntry>(historyStatements.outcomes, [
      accountId,
      subjects,
    ]);
    const missing = new Map(
      subjects.map((subject) => [
        subject,
        OUTCOMES_MAX - outcomes.filter((of) => of.subject === subject).length,
      ]),
    );
    const values = new Set(subjects.map((subject) => `subject:${subject}`));
    for await (const entry of this.archive.withValues(accountId, values, afterSeq)) {
      const subject = subjectOfOutcome(entry.type, entry.content.body);
      const left = subject === undefined || entry.content.appId !== null ? 0 : (missing.get(subject) ?? 0);
      if (subject === undefined || left === 0) continue;
      missing.set(subject, left - 1);
      outcomes.push({ subject, ...historyEntryOf(entry) });
    }
    return outcomes;
  }

  async #archivedCreations(
    accountId: string,
    { from, to, created_by }: SparkHistoryQuery,
    beforeSeq: number | null,
    missing: number,
  ): Promise<ContinuedPage<CreationEntry>> {
    const query = { appId: null, types: CREATIONS, actorId: created_by, from, to };
    const { entries, moreBefore } = await this.archive.list(accountId, query, beforeSeq, missing, isCreation);
    const now = Math.floor(Date.now() / 1_000);
    return { rows: entries.map((entry) => ({ seq: entry.seq, now, ...historyEntryOf(entry) })), moreBefore };
  }
}

const CREATIONS: readonly AuditType[] = ['spark_created', 'sparklink_created'];

/** Links of Sparks have no vault. */
function isCreation({ type, content }: ReadableEntry): boolean {
  return type === 'spark_created' || content.vaultId !== null;
}

function historyEntryOf({ type, at, content }: ReadableEntry) {
  return { type, timestamp: Math.floor(at / 1_000), body: content.body };
}

/**
 * A parameter of its statement: by its frequency in the whole table, the planner would search the entries of an account that has
 * few Sparks for it, instead of those of its type.
 */
const NEW_SPARK: AuditType = 'spark_created';

const newestBy = (condition: string, ofActor: string) => `
  (SELECT * FROM audit_entries e
    WHERE e.account_id = $1 AND ${condition} AND e.body IS NOT NULL AND e.seq < coalesce($2::bigint, 9223372036854775807)
      AND ($4::bigint IS NULL OR e.occurred_at >= to_timestamp($4)) AND ($5::bigint IS NULL OR e.occurred_at < to_timestamp($5))${ofActor}
    ORDER BY e.seq DESC LIMIT $3)`;

const listBy = (ofActor = '') => `
  SELECT e.seq, e.event_type AS type, ${epochSeconds('e.occurred_at', 'timestamp')}, e.body, ${epochSeconds('now()', 'now')}
    FROM (${newestBy(`e.event_type = $6 AND e.app_id IS NULL`, ofActor)}
          UNION ALL ${newestBy(isNewIngotLink('e.'), ofActor)}) e
   ORDER BY e.seq DESC LIMIT $3`;

/**
 * `OFFSET 0` keeps the condition of the account outside: in a plan for any account, which on average has few entries, PostgreSQL would
 * read all entries of a busy one by an index, to intersect them with the few of the subject.
 */
const ofSubject = `
  SELECT * FROM audit_entries e WHERE ${historySubject('e.')} = asked.subject AND ${isOutcome('e.')} OFFSET 0`;

/** For the repository, and for the tests of their plans. */
export const historyStatements = {
  all: statement('history.list', listBy()),
  ofActor: statement('history.list-of-actor', listBy(' AND e.actor_id = $7')),
  outcomes: statement(
    'history.list-outcomes',
    `SELECT asked.subject, e.event_type AS type, ${epochSeconds('e.occurred_at', 'timestamp')}, e.body
       FROM unnest($2::text[]) AS asked (subject) CROSS JOIN LATERAL (
         SELECT * FROM (${ofSubject}) e
          WHERE e.account_id = $1
          ORDER BY e.seq DESC LIMIT ${OUTCOMES_MAX}) e
      ORDER BY e.seq DESC`,
  ),
};
