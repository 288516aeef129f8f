import { Injectable } from '@nestjs/common';
import { auditTypesOf, type AuditScope } from '@vaultsvc/contracts/reporting';
import { Database, epochSeconds, readPosition, statement, toPage, type Page } from '@vaultsvc/database';

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
}

/** Lists entries of the audit log, newest first. Erased entries are not listed. */
@Injectable()
export class AuditListRepository {
  constructor(private readonly database: Database) {}

  async list(list: AuditList, { limit, cursor, event_types }: AuditPaging): Promise<Page<ListedEntry>> {
    const [before = null] = readPosition(cursor, 1) ?? [];
    const wanted = event_types?.split(',');
    const rows =
      list.scope === 'app'
        ? await this.database.query<ListedEntry>(listOfApp, [
            list.accountId,
            list.appId,
            wanted ?? null,
            before,
            limit + 1,
          ])
        : await this.#listOfScope(list, typesIn(list.scope, wanted), before, limit + 1);
    return toPage(rows, limit, ({ seq }) => [String(seq)]);
  }

  /** Whether the log of a vault has entries of an ingot. */
  async hasIngot(accountId: string, vaultId: string, ingotId: string): Promise<boolean> {
    const rows = await this.database.query(findIngot, [accountId, vaultId, ingotId]);
    return rows.length > 0;
  }

  #listOfScope(
    list: Exclude<AuditList, { scope: 'app' }>,
    types: readonly string[],
    before: string | null,
    limit: number,
  ): Promise<ListedEntry[]> {
    const paging = [types, before, limit];
    if (list.scope === 'account') return this.database.query(listOfAccount, [...paging, list.accountId]);
    if (list.scope === 'vault')
      return this.database.query(listOfVault, [...paging, list.accountId, list.vaultId]);
    return this.database.query(listOfIngot, [...paging, list.accountId, list.vaultId, list.ingotId]);
  }
}

/** The types of a scope that a filter asks for. A type of no scope has no entries, and is no error (OPEN-28). */
function typesIn(scope: AuditScope, wanted: readonly string[] | undefined): readonly string[] {
  const types = auditTypesOf(scope);
  return wanted ? types.filter((type) => wanted.includes(type)) : types;
}

const COLUMNS = `e.seq, e.event_type AS type, ${epochSeconds('e.occurred_at', 'timestamp')}, e.body`;

/** The newest entries of each type, merged: a type with few entries is found as fast as one with many. */
const listBy = (scope: string) => `
  SELECT ${COLUMNS}
    FROM unnest($1::text[]) AS wanted (type) CROSS JOIN LATERAL (
      SELECT * FROM audit_entries e
       WHERE ${scope} AND e.event_type = wanted.type AND e.app_id IS NULL AND e.body IS NOT NULL
         AND e.seq < coalesce($2::bigint, 9223372036854775807)
       ORDER BY e.seq DESC LIMIT $3) e
   ORDER BY e.seq DESC LIMIT $3`;

export const listOfAccount = statement('audit.list-of-account', listBy('e.account_id = $4'));
export const listOfVault = statement('audit.list-of-vault', listBy('e.account_id = $4 AND e.vault_id = $5'));
export const listOfIngot = statement(
  'audit.list-of-ingot',
  listBy('e.account_id = $4 AND e.vault_id = $5 AND e.ingot_id = $6'),
);

export const listOfApp = statement(
  'audit.list-of-app',
  `SELECT ${COLUMNS}
     FROM audit_entries e
    WHERE e.account_id = $1 AND e.app_id = $2 AND ($3::text[] IS NULL OR e.event_type = ANY($3))
      AND e.body IS NOT NULL AND e.seq < coalesce($4::bigint, 9223372036854775807)
    ORDER BY e.seq DESC LIMIT $5`,
);

const findIngot = statement(
  'audit.find-ingot',
  `SELECT 1 FROM audit_entries WHERE account_id = $1 AND vault_id = $2 AND ingot_id = $3 LIMIT 1`,
);
