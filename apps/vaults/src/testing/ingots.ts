import type { AccountContext, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import { createFolder, fileTypeOf, type IngotStatus } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { namedStatement } from '@vaultsvc/database';
import { accountContext } from '@vaultsvc/testing/harness';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import type { Given, Platform } from './platform.js';
import { boundedNameKey } from '../keys/name-key.js';

/** The row of an ingot, as uploads leave it; by default an active one of 1,000 bytes at the root. */
export interface IngotGiven {
  readonly name?: string;
  readonly folderId?: string | null;
  readonly sizeBytes?: number;
  readonly contentType?: string;
  readonly status?: IngotStatus;
  readonly managedBy?: string;
  readonly hasPending?: boolean;
  readonly accessCount?: number;
  readonly bandwidthBytes?: number;
  /** Seconds since it was made and its last upload began. */
  readonly age?: number;
}

export interface StoredIngot {
  readonly ingot_id: string;
  readonly name: string;
  readonly currentVersion: string | null;
  readonly pendingVersion: string | null;
}

/** A vault that is open, and ingots in it that were written straight into the tables, as uploads leave them. */
export async function newVaultFixture(platform: Platform, caller: AccountContext = accountContext()) {
  const { vault_id, vmk } = await platform.newVault(caller);
  const { vat } = await platform.unseal(vault_id, { vmk }, caller);
  const at = (accessLevel: 'read' | 'read_write') => ({ ...caller, vault: { token: vat, accessLevel } });
  const call = <S extends PublicSpec>(op: Operation<S>, input: Given<S>): Promise<Reply<S>> =>
    platform.call(op, input, at('read_write'));
  return {
    vault_id,
    vmk,
    vat,
    caller,
    at,
    call,
    store: (given: IngotGiven = {}) => store(platform, vault_id, caller.credential.accountId, given),
    /** A copy of the vault key. */
    vaultKey: () =>
      platform.service.context
        .get(VaultAuthorizer)
        .withOpenVault({ vault_id }, at('read'), 'read', async ({ vaultKey }) => Buffer.from(vaultKey)),
    folder: async (name: string = newId('folder_')) =>
      (await call(createFolder, { params: { vault_id }, body: { name } })).folder_id,
    /** The events of its ingots in the outbox, oldest first. */
    events: () =>
      platform.sql<{ name: string; payload: Record<string, unknown> }>(
        `SELECT name, payload FROM recorded_events WHERE payload->>'vault_id' = $1 AND payload ? 'ingot_id' ORDER BY seq`,
        [vault_id],
      ),
    /** The events of the vault after its first seal, in commit order, since both lock the row of the vault. */
    eventsSinceSeal: () =>
      platform.sql<{ name: string }>(
        `SELECT name FROM recorded_events
          WHERE payload->>'vault_id' = $1
            AND seq > (SELECT min(seq) FROM recorded_events WHERE name = 'vaults.sealed' AND payload->>'vault_id' = $1)`,
        [vault_id],
      ),
  };
}

export type VaultFixture = Awaited<ReturnType<typeof newVaultFixture>>;

async function store(
  { sql }: Platform,
  vaultId: string,
  accountId: string,
  given: IngotGiven,
): Promise<StoredIngot> {
  const { name = newId('ingot_'), folderId = null, sizeBytes = 1_000, status = 'active' } = given;
  const ingot_id = newId('ing_');
  const currentVersion = status === 'active' ? newId('ver_') : null;
  const pendingVersion = (given.hasPending ?? status === 'uploading') ? newId('ver_') : null;
  const values = insertIngot.valuesOf({
    ingotId: ingot_id,
    vaultId,
    accountId,
    folderId,
    name,
    nameKey: boundedNameKey(name),
    fileType: fileTypeOf(name),
    contentType: given.contentType ?? 'text/plain',
    sizeBytes,
    status,
    managedBy: given.managedBy,
    currentVersion,
    pendingVersion,
    accessCount: given.accessCount ?? 0,
    bandwidthBytes: given.bandwidthBytes ?? 0,
    age: given.age ?? 0,
  });
  await sql(insertIngot.text, values);
  for (const version of [currentVersion, pendingVersion])
    if (version !== null) await sql(insertVersion, [version, ingot_id, vaultId, accountId, sizeBytes]);
  if (currentVersion !== null) await sql(count, [vaultId, sizeBytes]);
  return { ingot_id, name, currentVersion, pendingVersion };
}

/** Thousands of rows, a second apart, at the root or in a folder; `file-1` is the oldest. */
export async function fillVault(
  { sql }: Platform,
  { vault_id, caller }: VaultFixture,
  count: number,
  folderId: string | null = null,
): Promise<void> {
  await sql(insertMany, [vault_id, caller.credential.accountId, count, folderId]);
}

const insertMany = `
  INSERT INTO ingots (id, vault_id, account_id, folder_id, name, folded_name, file_type, content_type, size_bytes, status, created_at)
  SELECT 'ing_' || substr(md5($1 || coalesce($4, '') || n), 1, 22), $1, $2, $4, 'File-' || n, 'file-' || n,
         CASE WHEN n % 10 = 0 THEN 'image' ELSE 'other' END, 'x/y', n, 'active',
         now() - interval '1 day' + n * interval '1 second'
    FROM generate_series(1, $3::integer) n`;

interface IngotInsert extends Pick<IngotGiven, 'managedBy'> {
  readonly ingotId: string;
  readonly vaultId: string;
  readonly accountId: string;
  readonly folderId: string | null;
  readonly name: string;
  readonly nameKey: string;
  readonly fileType: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly status: string;
  readonly currentVersion: string | null;
  readonly pendingVersion: string | null;
  readonly accessCount: number;
  readonly bandwidthBytes: number;
  /** Seconds since its creation. */
  readonly age: number;
}

const insertIngot = namedStatement<IngotInsert>(
  'test.insert-ingot',
  (v) => `
  INSERT INTO ingots (id, vault_id, account_id, folder_id, name, folded_name, file_type, content_type, size_bytes, status,
                      managed_by, current_version, pending_version, access_count, total_bandwidth_bytes,
                      created_at, updated_at, opened_at)
  SELECT ${v.ingotId}, ${v.vaultId}, ${v.accountId}, ${v.folderId}, ${v.name}, ${v.nameKey}, ${v.fileType}, ${v.contentType},
         ${v.sizeBytes}, ${v.status}, ${v.managedBy}, ${v.currentVersion}, ${v.pendingVersion}, ${v.accessCount},
         ${v.bandwidthBytes}, t, t, t
    FROM (SELECT now() - ${v.age}::integer * interval '1 second') made (t)`,
);

const insertVersion = `
  INSERT INTO ingot_versions (id, ingot_id, vault_id, account_id, size_bytes, content_type, wrapped_key)
  VALUES ($1, $2, $3, $4, $5, 'text/plain', '')`;

const count = `UPDATE vaults SET ingot_count = ingot_count + 1, storage_bytes = storage_bytes + $2 WHERE id = $1`;
