import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDvak, deleteVault, revokeDvak, sealVault } from '@vaultsvc/contracts/vaults';
import { parseToken, type TokenKind } from '@vaultsvc/crypto/tokens';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { found, heldOnDisk } from '@vaultsvc/testing/servers';
import pg from 'pg';
import { buildService, startCopy } from '../../../tools/races/copies.mjs';
import { unwrapByVmk } from './keys/vault-key.js';
import { startPlatform, type Platform } from './testing/platform.js';

/** A copy of the service that logs all it can does everything that there is to do with keys; then we look for traces. */
let platform: Platform;
let copy: Awaited<ReturnType<typeof startCopy>>;
let database: pg.Client;
const caller = accountContext();
const secrets: Buffer[] = [];
const texts: string[] = [];

beforeAll(async () => {
  platform = await startPlatform({ LOG_LEVEL: 'silent' });
  const environment = await platform.harness.environment('vaults', { LOG_LEVEL: 'trace' });
  copy = await startCopy(await buildService('vaults'), environment);
  await platform.service.stop(); // from here on the copy answers
  database = new pg.Client({ connectionString: (await platform.harness.schema('vaults')).databaseUrl });
  await database.connect();
  await live();
}, 120_000);
afterAll(async () => {
  await database.end();
  await copy.kill();
  await platform.harness.stop();
});

function remember(kind: TokenKind, text: string): Buffer {
  const bytes = parseToken(kind, text) as Buffer;
  texts.push(text);
  secrets.push(bytes);
  return bytes;
}

/** Kept, used, presented wrongly, refused by PostgreSQL with the whole row in its error, revoked, sealed and deleted. */
async function live(): Promise<void> {
  const [kept, other] = [await platform.newVault(caller), await platform.newVault(caller)];
  for (const vault of [kept, other]) await rememberVault(vault.vault_id, vault.vmk);
  const dvak = await newDvak(kept);
  const gone = await newDvak(other);
  const opened = [
    await platform.unseal(kept.vault_id, { vmk: kept.vmk }, caller),
    await platform.unseal(kept.vault_id, { dvak_token: dvak.dvak_token }, caller),
    await platform.unseal(other.vault_id, { vmk: gone.dvak_token }, caller),
  ];
  for (const { vat } of opened) remember('vat', vat);
  const vats = opened.map(({ vat }) => vat);
  for (const vat of vats) await reasonOf(platform.enter(kept.vault_id, vat, 'write', caller));
  for (const key of [other.vmk, gone.dvak_token, vats[0] as string, `${dvak.dvak_token} `])
    for (const body of [{ vmk: key }, { dvak_token: key }])
      expect(await reasonOf(platform.unseal(kept.vault_id, body, caller))).not.toBe('none');
  await failEverywhere(kept, vats[1] as string);
  const params = { vault_id: other.vault_id };
  await platform.call(revokeDvak, { params: { ...params, last4: gone.last_4_chars } }, caller);
  await platform.call(sealVault, { params }, caller);
  await platform.call(deleteVault, { params }, caller);
}

async function rememberVault(vaultId: string, text: string): Promise<void> {
  const vmk = remember('vmk', text);
  const { rows } = await database.query<{ wrapped_key: Buffer }>(
    `SELECT wrapped_key FROM vault_keys WHERE vault_id = $1`,
    [vaultId],
  );
  const { accountId } = caller.credential;
  secrets.push(unwrapByVmk(vmk, { vaultId, accountId }, rows[0]?.wrapped_key as Buffer));
}

async function newDvak({ vault_id, vmk }: { vault_id: string; vmk: string }) {
  const body = { vmk, dvak_type: 'nhi', nhi_description: 'canary' } as const;
  const dvak = await platform.call(createDvak, { params: { vault_id }, body }, caller);
  remember('dvak', dvak.dvak_token);
  return dvak;
}

async function failEverywhere(vault: { vault_id: string; vmk: string }, vat: string): Promise<void> {
  await database.query(
    `UPDATE vault_sessions SET expires_at = expires_at + interval '1 s' WHERE dvak_id IS NOT NULL`,
  );
  expect(await reasonOf(platform.enter(vault.vault_id, vat, 'read', caller))).toBe('INTERNAL_ERROR');
  for (const table of ['vault_sessions', 'dvaks', 'vault_keys'])
    await database.query(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (wrapped_key IS NULL) NOT VALID`);
  expect(await reasonOf(platform.unseal(vault.vault_id, { vmk: vault.vmk }, caller))).toBe('INTERNAL_ERROR');
  expect(await reasonOf(newDvak(vault))).toBe('INTERNAL_ERROR');
  expect(await reasonOf(platform.newVault(caller))).toBe('INTERNAL_ERROR');
  for (const table of ['vault_sessions', 'dvaks', 'vault_keys'])
    await database.query(`ALTER TABLE ${table} DROP CONSTRAINT refused`);
}

/** A secret as itself, in hex, and in both alphabets of base64; tokens as they are written, too. */
const forms = () => [
  ...texts,
  ...texts.map((text) => text.slice(text.indexOf('_') + 1)),
  ...secrets.flatMap((secret) => [
    secret.toString('latin1'),
    secret.toString('hex'),
    secret.toString('hex').toUpperCase(),
    secret.toString('base64').replace(/=+$/, ''),
    secret.toString('base64url'),
  ]),
];
describe('VLT-04 VLT-26 MISC-03: what is stored and logged opens no vault', () => {
  it('the log of a copy that logs everything tells of the failures, and holds no key and no token', () => {
    const log = readFileSync(copy.plan.logPath, 'latin1');
    expect(log).toContain('operation failed');
    expect(found(log, forms())).toEqual([]);
  });

  it('events name vaults and keys by their ids, and hold no key and no token', async () => {
    const { rows } = await database.query(`SELECT * FROM outbox`);
    const text = JSON.stringify(rows);
    expect(text).toContain('vaults.dvak-used');
    expect(found(text, forms())).toEqual([]);
  });

  it('no row holds a key or a token, in bytes or in text', async () => {
    expect(secrets).toHaveLength(9);
    for (const table of ['vaults', 'vault_keys', 'dvaks', 'vault_sessions', 'outbox']) {
      const { rows } = await database.query<Record<string, unknown>>(`SELECT * FROM ${table}`);
      const text = rows
        .flatMap((row) => Object.values(row))
        .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
        .join('\n');
      expect(text).not.toBe('');
      expect(found(text, forms())).toEqual([]);
    }
  });

  it('no key and no token is on any disk of the run, the tables and the log of PostgreSQL included', async () => {
    await database.query(`CREATE TABLE planted AS SELECT 'planted-canary' AS text`);
    const sought = ['planted-canary', ...forms()];
    expect(heldOnDisk(sought)).toEqual(['planted-canary']);
  }, 120_000);
});
