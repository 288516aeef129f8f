import { decodeQuery, type Actor } from '@vaultsvc/contracts';
import {
  AuditQuery,
  listAccountAudit,
  listAppAudit,
  listIngotAudit,
  listVaultAudit,
  readAuditExport,
} from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { Objects } from '@vaultsvc/objects';
import { accountContext, internalContext, type Harness } from '@vaultsvc/testing/harness';
import { ArchiveEntries } from '../audit/archive/archive-entries.job.js';
import type { AuditRecord } from '../audit/audit-rules.js';
import { EraseDeletedVaults } from '../audit/erase-deleted-vaults.job.js';
import { appendRecords, auditRecord } from './audit-records.js';
import type { Platform } from './platform.js';

export const START = 1_790_000_000;
export const ANN: Actor = { kind: 'person', id: 'usr_ann' };
export const KEY: Actor = { kind: 'api_key', id: 'key_1' };
export const JOB: Actor = { kind: 'job', id: 'end-links' };

/** An account with entries, some of which are of its vaults and their ingots. */
export interface Log {
  readonly accountId: string;
  readonly vaults: readonly [string, string];
  readonly ingots: readonly [string, string];
}

/** Logs of accounts on a platform, which are archived, and what is seen of them before and after. */
export function archivedLogs(platform: Platform) {
  const job = (instance = platform.service) => instance.context.get(ArchiveEntries);
  /** Archives every entry of the tests, in segments of so many. */
  const archive = (entries: number, instance = platform.service) =>
    job(instance).archiveBefore(Date.now() * 2, entries);

  /** The entries of a kind in turn, one a second: of the account, two vaults with an ingot each, an integration. */
  async function newLog(count: number) {
    const accountId = newId('acc_');
    const vaults = [newId('vlt_'), newId('vlt_')] as const;
    const ingots = [newId('ing_'), newId('ing_')] as const;
    const kinds: readonly Partial<AuditRecord>[] = [
      { type: 'spark_created', actor: ANN },
      { type: 'ingot_created', actor: KEY, vaultId: vaults[0], ingotId: ingots[0] },
      { type: 'spark_read', actor: JOB },
      { type: 'ingot_created', actor: ANN, vaultId: vaults[1], ingotId: ingots[1] },
      { type: 'file.opened', actor: KEY, appId: 'crma' },
      { type: 'dvak_created', actor: ANN, vaultId: vaults[0] },
    ];
    const records = Array.from({ length: count }, (_, n) =>
      auditRecord(accountId, {
        occurredAtMs: (START + n) * 1_000,
        ...kinds[n % kinds.length],
        details: { n, note: `the note ${n} of ${accountId}` },
      }),
    );
    await appendRecords(platform.service, ...records);
    return { accountId, vaults, ingots };
  }

  const deleteVault = async (accountId: string, vaultId: string) => {
    await appendRecords(
      platform.service,
      auditRecord(accountId, { type: 'vault_deleted', vaultId, details: { vault_id: vaultId } }),
    );
    await platform.sql(`INSERT INTO audit_erasures (account_id, vault_id) VALUES ($1, $2)`, [
      accountId,
      vaultId,
    ]);
    await platform.service.context.get(EraseDeletedVaults).run();
  };

  return { ...tablesOf(platform), ...viewsOf(platform), archive, deleteVault, job, newLog };
}

/** Logs as callers see them. */
function viewsOf(platform: Platform) {
  return {
    exportOf: (accountId: string, range = {}) => exportOf(platform.harness, accountId, range),
    listsOf: (log: Log, scopes = ['account', 'vault', 'ingot', 'app']) =>
      listsOf(platform.harness, log, scopes),
  };
}

/** The entries of each list, in the order of its pages. */
async function listsOf({ bus }: Harness, { accountId, vaults, ingots }: Log, scopes: readonly string[]) {
  const context = accountContext({ accountId });
  const ofVault = { ...context, vault: { token: 'vat', accessLevel: 'read' as const } };
  const [vault_id, ingot_id] = [vaults[0], ingots[0]];
  const reads = {
    account: (query: AuditQuery) => bus.call(listAccountAudit, { query }, context),
    vault: (query: AuditQuery) => bus.call(listVaultAudit, { params: { vault_id }, query }, ofVault),
    ingot: (query: AuditQuery) =>
      bus.call(listIngotAudit, { params: { vault_id, ingot_id }, query }, ofVault),
    app: (query: AuditQuery) => bus.call(listAppAudit, { params: { app_slug: 'crma' }, query }, context),
  };
  const filters = [
    '',
    'event_types=spark_read,ingot_created',
    'actor=usr_ann',
    `from=${START + 5}&to=${START + 9}`,
  ];
  const lists: Record<string, unknown[]> = {};
  for (const [scope, read] of Object.entries(reads).filter(([name]) => scopes.includes(name)))
    for (const filter of filters)
      lists[`${scope} ${filter}`] = (await pagesOf<Awaited<ReturnType<typeof read>>>(read, filter)).flatMap(
        ({ entries }) => entries,
      );
  return lists;
}

/** The lines of an export. */
async function exportOf({ bus }: Harness, account_id: string, range: object): Promise<string[]> {
  const lines: string[] = [];
  for (let position: string | undefined = ''; position !== undefined;) {
    const body = { account_id, ...range, ...(position !== '' && { position }) };
    const part: { lines: string; next: string | null } = await bus.call(
      readAuditExport,
      { body },
      internalContext(),
    );
    lines.push(...part.lines.split('\n').filter((line) => line !== ''));
    position = part.next ?? undefined;
  }
  return lines;
}

/** Logs in the database and the object store. */
function tablesOf(platform: Platform) {
  const objects = () => platform.service.context.get(Objects);
  const stored = (accountId: string) =>
    platform.sql<{ seq: number }>(`SELECT seq FROM audit_entries WHERE account_id = $1 ORDER BY seq`, [
      accountId,
    ]);
  const segmentsOf = (accountId: string) =>
    platform.sql<{ first_seq: number; last_seq: number; object_key: string }>(
      `SELECT first_seq, last_seq, object_key FROM audit_segments WHERE account_id = $1 ORDER BY last_seq`,
      [accountId],
    );
  const objectsOf = async (accountId: string) =>
    (await objects().list({ prefix: `audit-segments/${accountId}/` })).objects;
  const asService = (text: string) => platform.service.context.get(Database).dataSource.query<object[]>(text);

  return { asService, objects, objectsOf, segmentsOf, stored };
}

/** All pages of a list, of two entries each. */
async function pagesOf<Page extends { has_more: boolean; next_cursor?: string }>(
  read: (query: AuditQuery) => Promise<Page>,
  filter: string,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.next_cursor) {
    const query = decodeQuery(AuditQuery, new URLSearchParams(`limit=2&${filter}`));
    pages.push(await read({ ...query, ...(cursor !== '' && { cursor }) }));
  }
  return pages;
}

/** For `verifyExport`. */
export async function* iterate(lines: readonly string[]) {
  yield* lines;
}
