import { Injectable } from '@nestjs/common';
import { auditTypesOf, type AuditScope } from '@vaultsvc/contracts/reporting';
import { Database, epochSeconds, readPosition, statement, type Page } from '@vaultsvc/database';
import type { ArchiveQuery } from './archive/archived-entry.js';
import { AuditArchive, type ArchivedPage, type ReadableEntry } from './archive/audit-archive.js';
import { continuedPage, type ContinuedPage } from './archive/continued-page.js';
import { assertTimeRange } from './time-range.js';

/** A readable entry. */
export interface ListedEntry {
  readonly seq: number;
  readonly type: string;
  /** Epoch seconds. */
  readonly timestamp: number;
  /** The canonical JSON of its body. */
  readonly body: string;
}

/** The list that a caller asked for. */
export type AuditList =
  | { readonly scope: 'account'; readonly accountId: string }
  | { readonly scope: 'vault'; readonly accountId: string; readonly vaultId: string }
  | {
      readonly scope: 'ingot';
      readonly accountId: string;
      readonly vaultId: string;
      readonly ingotId: string;
    }
  | { readonly scope: 'app'; readonly accountId: string; readonly appId: string };

/** The page of a list. */
export interface AuditPaging {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Comma-separated. */
  readonly event_types?: string | undefined;
  /** Epoch seconds: from `from` on, and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The `id` of `details.actor`. */
  readonly actor?: string | undefined;
}

/** The rest of a filter: time and actor. */
type Filter = Pick<AuditPaging, 'from' | 'to' | 'actor'>;

/** Lists entries of the audit log, newest first: those in the database, then archived ones. Erased entries are not listed. */
@Injectable()
export class AuditListRepository {
  constructor(
    private readonly database: Database,
    private readonly archive: AuditArchive,
  ) {}

  /** @throws AppError VALIDATION_ERROR for a range of time that ends before it begins */
  async list(
    list: AuditList,
    { limit, cursor, event_types, ...filter }: AuditPaging,
  ): Promise<Page<ListedEntry>> {
    assertTimeRange(filter);
    const [position] = readPosition(cursor, 1) ?? [];
    const before = position === undefined ? null : Number(position);
    const wanted = event_types?.split(',');
    const types = list.scope === 'app' ? wanted : typesIn(list.scope, wanted);
    const rows = await this.database.query<ListedEntry>(statementOf(list, filter), [
      types ?? null,
      before,
      limit + 1,
      ...idsOf(list),
      ...filterValues(filter),
    ]);
    return continuedPage(rows, limit, before, (beforeSeq, missing) =>
      this.archive.list(list.accountId, archiveQueryOf(list, types, filter), beforeSeq, missing).then(listed),
    );
  }

  /** Whether the log of a vault has entries of an ingot. */
  async hasIngot(accountId: string, vaultId: string, ingotId: string): Promise<boolean> {
    const rows = await this.database.query(findIngot, [accountId, vaultId, ingotId]);
    return rows.length > 0;
  }

  /** Whether its archived log has. */
  hadIngot(accountId: string, vaultId: string, ingotId: string): Promise<boolean> {
    return this.archive.has(accountId, { appId: null, vaultId, ingotId });
  }
}

function archiveQueryOf(list: AuditList, types: readonly string[] | undefined, filter: Filter): ArchiveQuery {
  return {
    appId: list.scope === 'app' ? list.appId : null,
    types,
    ...('vaultId' in list && { vaultId: list.vaultId }),
    ...('ingotId' in list && { ingotId: list.ingotId }),
    actorId: filter.actor,
    from: filter.from,
    to: filter.to,
  };
}

function listed({ entries, moreBefore }: ArchivedPage): ContinuedPage<ListedEntry> {
  return { rows: entries.map(listedEntry), moreBefore };
}

function listedEntry({ seq, type, at, content }: ReadableEntry): ListedEntry {
  return { seq, type, timestamp: Math.floor(at / 1_000), body: content.body };
}

/** The types of a scope that a filter asks for. A type of no scope has no entries, and is no error (OPEN-28). */
function typesIn(scope: AuditScope, wanted: readonly string[] | undefined): readonly string[] {
  const types = auditTypesOf(scope);
  return wanted ? types.filter((type) => wanted.includes(type)) : types;
}

const COLUMNS = `e.seq, e.event_type AS type, ${epochSeconds('e.occurred_at', 'timestamp')}, e.body`;

const OF_SCOPE = {
  account: 'e.account_id = $4 AND e.app_id IS NULL',
  vault: 'e.account_id = $4 AND e.vault_id = $5 AND e.app_id IS NULL',
  ingot: 'e.account_id = $4 AND e.vault_id = $5 AND e.ingot_id = $6 AND e.app_id IS NULL',
  app: 'e.account_id = $4 AND e.app_id = $5',
} as const satisfies Record<AuditList['scope'], string>;
const IDS = { account: 1, vault: 2, ingot: 3, app: 2 } as const;

const PAGE = `e.body IS NOT NULL AND e.seq < coalesce($2::bigint, 9223372036854775807)`;

/** The newest entries of each type, merged: a type with few entries is found as fast as one with many. */
const listByType = (condition: string) => `
  SELECT ${COLUMNS}
    FROM unnest($1::text[]) AS wanted (type) CROSS JOIN LATERAL (
      SELECT * FROM audit_entries e
       WHERE ${condition} AND e.event_type = wanted.type AND ${PAGE}
       ORDER BY e.seq DESC LIMIT $3) e
   ORDER BY e.seq DESC LIMIT $3`;

/** The newest entries of any of these types; null: of all. */
const listOfAny = (condition: string) => `
  SELECT ${COLUMNS} FROM audit_entries e
   WHERE ${condition} AND ($1::text[] IS NULL OR e.event_type = ANY($1)) AND ${PAGE}
   ORDER BY e.seq DESC LIMIT $3`;

/** Conditions of time and actor, whose values follow the ids of the scope. An actor is found by an index of its own. */
function filterOf(ids: number, isOfActor: boolean): string {
  const from = `($${ids + 4}::bigint IS NULL OR e.occurred_at >= to_timestamp($${ids + 4}))`;
  const to = `($${ids + 5}::bigint IS NULL OR e.occurred_at < to_timestamp($${ids + 5}))`;
  return `${from} AND ${to}${isOfActor ? ` AND e.actor_id = $${ids + 6}` : ''}`;
}

/** The statements of a scope: without a filter of time or actor, with one of time, and with one of actor and perhaps time. */
function statementsOf(scope: AuditList['scope']) {
  const condition = OF_SCOPE[scope];
  const list = scope === 'app' ? listOfAny : listByType;
  const filtered = (isOfActor: boolean) => `${condition} AND ${filterOf(IDS[scope], isOfActor)}`;
  return {
    all: statement(`audit.list-of-${scope}`, list(condition)),
    inTime: statement(`audit.list-of-${scope}-in-time`, list(filtered(false))),
    ofActor: statement(`audit.list-of-${scope}-of-actor`, list(filtered(true))),
  };
}

/** The statements of all scopes, for the tests of their plans. */
export const listStatements = {
  account: statementsOf('account'),
  vault: statementsOf('vault'),
  ingot: statementsOf('ingot'),
  app: statementsOf('app'),
};

function statementOf({ scope }: AuditList, { from, to, actor }: Filter) {
  const { all, inTime, ofActor } = listStatements[scope];
  if (actor !== undefined) return ofActor;
  return from === undefined && to === undefined ? all : inTime;
}

function idsOf(list: AuditList): string[] {
  if (list.scope === 'app') return [list.accountId, list.appId];
  if (list.scope === 'account') return [list.accountId];
  return list.scope === 'vault'
    ? [list.accountId, list.vaultId]
    : [list.accountId, list.vaultId, list.ingotId];
}

function filterValues({ from, to, actor }: Filter): unknown[] {
  if (actor !== undefined) return [from ?? null, to ?? null, actor];
  return from === undefined && to === undefined ? [] : [from ?? null, to ?? null];
}

const findIngot = statement(
  'audit.find-ingot',
  `SELECT 1 FROM audit_entries WHERE account_id = $1 AND vault_id = $2 AND ingot_id = $3 LIMIT 1`,
);
