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

  /** The newest outcomes of each of the Sparks and links that these entries create, newest first. */
  async listOutcomes(accountId: string, creations: readonly Creation[]): Promise<OutcomeEntry[]> {
    if (creations.length === 0) return [];
    const subjects = creations.map(({ subject }) => subject);
    const found = await this.database.query<OutcomeRow>(historyStatements.outcomes, [accountId, subjects]);
    const missing = new Map(
      subjects.map((subject) => [
        subject,
        OUTCOMES_MAX - found.filter((of) => of.subject === subject).length,
      ]),
    );
    const outcomes: OutcomeEntry[] = [...found];
    const known = new Set(found.map(({ seq }) => seq));
    for (const search of searchesOf(accountId, creations))
      for await (const entry of this.archive.withValues(
        search,
        search.subjects.map((subject) => `subject:${subject}`),
      )) {
        if (search.subjects.every((subject) => missing.get(subject) === 0)) break;
        const subject = subjectOfOutcome(entry.type, entry.content.body);
        if (subject === undefined || !search.subjects.includes(subject)) continue;
        const left = missing.get(subject) ?? 0;
        if (left === 0 || entry.content.appId !== null || known.has(entry.seq)) continue;
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
    if (entries.length === 0) return { rows: [], moreBefore };
    const [{ now } = { now: 0 }] = await this.database.query<{ now: number }>(selectNow);
    return { rows: entries.map((entry) => ({ seq: entry.seq, now, ...historyEntryOf(entry) })), moreBefore };
  }
}

/** A created Spark, or link of an ingot, with the entry that creates it. */
export interface Creation {
  readonly subject: string;
  readonly entry: CreationEntry;
}

type OutcomeRow = OutcomeEntry & { readonly seq: number };

/** A Spark lives for a day (SPK-03). Its link may end later, by jobs, which are no outcome of it any more. */
const SPARK_SECONDS_MAX = 2 * 86_400;

/** Where outcomes may be in the archive: those of Sparks soon after their creation, those of links of ingots at any time after it. */
function searchesOf(accountId: string, creations: readonly Creation[]) {
  const isSpark = ({ entry }: Creation) => entry.type === NEW_SPARK;
  const searchOf = (among: readonly Creation[], to?: number) => {
    const afterSeq = Math.min(...among.map(({ entry }) => entry.seq));
    return { accountId, afterSeq, to, subjects: among.map(({ subject }) => subject) };
  };
  const [sparks, links] = [creations.filter(isSpark), creations.filter((creation) => !isSpark(creation))];
  const lastEnd = Math.max(...sparks.map(({ entry }) => entry.timestamp)) + SPARK_SECONDS_MAX;
  return [
    ...(sparks.length > 0 ? [searchOf(sparks, lastEnd)] : []),
    ...(links.length > 0 ? [searchOf(links)] : []),
  ];
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
    `SELECT asked.subject, e.seq, e.event_type AS type, ${epochSeconds('e.occurred_at', 'timestamp')}, e.body
       FROM unnest($2::text[]) AS asked (subject) CROSS JOIN LATERAL (
         SELECT * FROM (${ofSubject}) e
          WHERE e.account_id = $1
          ORDER BY e.seq DESC LIMIT ${OUTCOMES_MAX}) e
      ORDER BY e.seq DESC`,
  ),
};

const selectNow = statement('history.select-now', `SELECT ${epochSeconds('now()', 'now')}`);
