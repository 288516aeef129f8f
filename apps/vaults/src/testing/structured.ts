import type { VaultContext } from '@vaultsvc/contracts';
import {
  createStructured,
  deleteStructured,
  listStructured,
  readStructured,
  updateStructured,
  type KeyValues,
  type StructuredChange,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { StructuredKey } from '../structured/structured-key.js';
import { newVaultFixture, type VaultFixture } from './ingots.js';
import type { Platform } from './platform.js';

/** An open vault with calls on its structured ingots and access to its rows. */
export async function newStructuredFixture(platform: Platform, caller?: VaultFixture['caller']) {
  const fixture = await newVaultFixture(platform, caller);
  const params = { vault_id: fixture.vault_id };
  const of = (ingot_id: string) => ({ ...params, ingot_id });
  const writing = fixture.at('read_write');
  return {
    ...fixture,
    /** With a unique name by default. */
    create: (data: KeyValues, name: string = newId('structured_'), context: VaultContext = writing) =>
      platform.call(createStructured, { params, body: { name, data } }, context),
    list: (limit?: number) => fixture.call(listStructured, { params, query: { ...(limit && { limit }) } }),
    describe: (reference: string, context: VaultContext = fixture.at('read')) =>
      platform.call(readStructured, { params: of(reference), query: {} }, context),
    patch: (reference: string, body: StructuredChange, context: VaultContext = writing) =>
      platform.call(updateStructured, { params: of(reference), body }, context),
    remove: (reference: string, context: VaultContext = writing) =>
      platform.call(deleteStructured, { params: of(reference) }, context),
    counters: async () =>
      (
        await platform.sql<Record<string, number>>(
          `SELECT ingot_count, storage_bytes, total_bandwidth_bytes, total_access_count FROM vaults WHERE id = $1`,
          [fixture.vault_id],
        )
      )[0],
    /** Number of values in the vault. */
    rowCount: async () =>
      (
        await platform.sql<{ rows: number }>(
          `SELECT count(*) AS rows FROM structured_values WHERE vault_id = $1`,
          [fixture.vault_id],
        )
      )[0]?.rows,
    /** Opens the values of an ingot from its rows, by key name. Throws for a row that does not open. */
    stored: (ingotId: string) => storedValues(platform, fixture, ingotId),
  };
}

export type StructuredFixture = Awaited<ReturnType<typeof newStructuredFixture>>;

interface Row {
  readonly [column: string]: unknown;
  readonly wrapped_key: Buffer;
  readonly blind: Buffer;
  readonly sealed_name: Buffer;
  readonly sealed_value: Buffer;
  readonly content_type: string;
  readonly version: number;
}

async function storedValues(
  platform: Platform,
  fixture: VaultFixture,
  ingotId: string,
): Promise<Map<string, string>> {
  const { vault_id: vaultId, caller } = fixture;
  const vaultKey = await fixture.vaultKey();
  const ids = { accountId: caller.credential.accountId, vaultId, ingotId };
  const rows = await platform.sql<Row>(selectValues, [ingotId]);
  return new Map(rows.map((row) => openedValue(StructuredKey.open(vaultKey, ids, row.wrapped_key), row)));
}

function openedValue(key: StructuredKey, row: Row): [name: string, value: string] {
  const { blind, version, content_type: contentType } = row;
  const value = key.openValue(row.sealed_value, { blind, version, contentType });
  return [key.openName(row.sealed_name, blind), value.toString()];
}

const selectValues = `
  SELECT s.wrapped_key, v.blind, v.sealed_name, v.sealed_value, v.content_type, v.version
    FROM structured_values v JOIN structured_ingots s USING (ingot_id) WHERE ingot_id = $1`;
