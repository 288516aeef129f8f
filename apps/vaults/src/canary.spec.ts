import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDvak, deleteVault, revokeDvak, sealVault } from '@vaultsvc/contracts/vaults';
import { unwrapFileKey } from '@vaultsvc/crypto/container';
import { Kms } from '@vaultsvc/crypto/kms';
import { parseToken, type TokenKind } from '@vaultsvc/crypto/tokens';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { awsKeyOf, found, heldOnDisk, sharedServers } from '@vaultsvc/testing/servers';
import pg from 'pg';
import { buildService, startInstance } from '../../../tools/races/service-instances.ts';
import { unwrapByVmk } from './keys/vault-key.js';
import { startSharingPlatform, type SharingPlatform } from './testing/sharing.js';
import { istkOf, readContent, sendContent, type UploadFixture } from './testing/uploads.js';

/**
 * An instance that logs at the lowest level runs all operations with keys; the test then searches for traces of the
 * keys.
 */
let platform: SharingPlatform;
let copy: Awaited<ReturnType<typeof startInstance>>;
let database: pg.Client;
const caller = accountContext();
const secrets: Buffer[] = [];
const texts: string[] = [];
/** Codes of consumed links: sparks publishes them afterwards, when they open nothing more; vaults does not store them. */
const consumedCodes: string[] = [];
const CONTENT = 'what only its readers may read';

beforeAll(async () => {
  platform = await startSharingPlatform();
  const settings = { LOG_LEVEL: 'trace', FORGE_ORIGIN: platform.forgeUrl };
  const environment = await platform.harness.environment('vaults', settings);
  copy = await startInstance(await buildService('vaults'), environment);
  await platform.service.stop(); // from here on the copy answers
  database = new pg.Client({ connectionString: (await platform.harness.schema('vaults')).adminUrl });
  await database.connect();
  await live();
});
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

/**
 * Stored, used, presented wrongly, rejected by PostgreSQL with the whole row in its error, revoked, sealed and deleted.
 */
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
  for (const vat of vats) await reasonOf(platform.openSession(kept.vault_id, vat, 'write', caller));
  for (const key of [other.vmk, gone.dvak_token, vats[0] as string, `${dvak.dvak_token} `])
    for (const body of [{ vmk: key }, { dvak_token: key }])
      expect(await reasonOf(platform.unseal(kept.vault_id, body, caller))).not.toBe('none');
  await moveFiles();
  await shareFiles();
  await failEverywhere(kept, vats[1] as string);
  const params = { vault_id: other.vault_id };
  await platform.call(revokeDvak, { params: { ...params, last4: gone.last_4_chars } }, caller);
  await platform.call(sealVault, { params }, caller);
  await platform.call(deleteVault, { params }, caller);
}

async function rememberVault(vaultId: string, text: string): Promise<Buffer> {
  const vmk = remember('vmk', text);
  const { rows } = await database.query<{ wrapped_key: Buffer }>(
    `SELECT wrapped_key FROM vault_keys WHERE vault_id = $1`,
    [vaultId],
  );
  const { accountId } = caller.credential;
  const vaultKey = unwrapByVmk(vmk, { vaultId, accountId }, rows[0]?.wrapped_key as Buffer);
  secrets.push(vaultKey);
  return vaultKey;
}

/** Uploads, a download, a replacement and an upload that PostgreSQL rejects; records every key and ISTK. */
async function moveFiles(): Promise<void> {
  const fixture = await platform.newVaultFixture(caller);
  const vaultKey = await rememberVault(fixture.vault_id, fixture.vmk);
  remember('vat', fixture.vat);
  const { ingot_id, forge_url } = await fixture.create({ name: 'canary', size_bytes: CONTENT.length });
  await sendContent(forge_url, Buffer.from(CONTENT));
  const { download_url } = await fixture.download(ingot_id);
  expect((await readContent(download_url)).bytes.toString()).toBe(CONTENT);
  const urls = [forge_url, download_url, (await fixture.replace(ingot_id, {})).forge_url];
  await rememberFileKeys(fixture, vaultKey);
  await refusing('ingot_versions', () => fixture.create({ name: 'refused' }));
  secrets.push(...urls.map((url) => istkOf(url).bytes));
}

/** A durable share, an opened one-time link and an unopened one; the share key, the codes and the content. */
async function shareFiles(): Promise<void> {
  const fixture = await platform.newSharingFixture(caller);
  const vaultKey = await rememberVault(fixture.vault_id, fixture.vmk);
  remember('vat', fixture.vat);
  const ingot_id = await fixture.stored(CONTENT);
  await rememberFileKeys(fixture, vaultKey);
  const [once, kept] = [await fixture.link(ingot_id), await fixture.link(ingot_id)];
  const durable = await fixture.share(ingot_id);
  await rememberShareKey(fixture);
  for (const [code, domain] of [
    [durable, 'files'],
    [once.link_code, 'link'],
  ] as const) {
    const { download_url } = await platform.visit(code, domain);
    expect((await readContent(download_url as string)).bytes.toString()).toBe(CONTENT);
    secrets.push(istkOf(download_url as string).bytes);
  }
  await refusing('link_keys', () => fixture.link(ingot_id));
  consumedCodes.push(once.link_code);
  texts.push(kept.link_code, durable); // live: in no outbox and no stream either (LNK-22)
}

async function rememberShareKey({ vault_id }: UploadFixture): Promise<void> {
  const { rows } = await database.query<{ wrapped_key: Buffer }>(
    `SELECT wrapped_key FROM dvaks WHERE vault_id = $1 AND system_purpose = 'sharing'`,
    [vault_id],
  );
  const context = {
    svc: 'vaults',
    purpose: 'vault-share',
    account_id: caller.credential.accountId,
    vault_id,
  };
  const kms = new Kms({ key: awsKeyOf(sharedServers().kmsUrl, 'alias/vk-system') });
  secrets.push(await kms.decrypt(rows[0]?.wrapped_key as Buffer, context));
  kms.close();
}

async function rememberFileKeys({ vault_id: vaultId }: UploadFixture, vaultKey: Buffer): Promise<void> {
  const { accountId } = caller.credential;
  const { rows } = await database.query<{ id: string; ingot_id: string; wrapped_key: Buffer }>(
    `SELECT id, ingot_id, wrapped_key FROM ingot_versions WHERE vault_id = $1`,
    [vaultId],
  );
  for (const { id: versionId, ingot_id: ingotId, wrapped_key } of rows)
    secrets.push(
      unwrapFileKey(vaultKey, { accountId, vaultId, ingotId, versionId }, { holder: 'vk' }, wrapped_key),
    );
}

/** Makes PostgreSQL reject all rows with a wrap, with the whole row in its error. */
async function refusing(table: string, write: () => Promise<unknown>): Promise<void> {
  await database.query(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (wrapped_key IS NULL) NOT VALID`);
  expect(await reasonOf(write())).toBe('INTERNAL_ERROR');
  await database.query(`ALTER TABLE ${table} DROP CONSTRAINT refused`);
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
  expect(await reasonOf(platform.openSession(vault.vault_id, vat, 'read', caller))).toBe('INTERNAL_ERROR');
  const { vault_id, vmk } = vault;
  await refusing('vault_sessions', () => platform.unseal(vault_id, { vmk }, caller));
  await refusing('dvaks', () => newDvak(vault));
  await refusing('vault_keys', () => platform.newVault(caller));
}

/** A secret in its encodings: bytes, hex, and both alphabets of base64; tokens also as text. */
const forms = () => [
  CONTENT,
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
const TABLES = [
  ...['vaults', 'vault_keys', 'dvaks', 'vault_sessions', 'ingots', 'ingot_versions'],
  ...['ingot_shares', 'link_keys', 'sent_batches'],
];

describe('VLT-04 VLT-26 SHR-17 LNK-22 MISC-03: storage and logs', () => {
  it('the log of an instance at the lowest level reports failures, and contains no key and no token', () => {
    const log = readFileSync(copy.plan.logPath, 'latin1');
    expect(log).toContain('operation failed');
    expect(found(log, [...forms(), ...consumedCodes])).toEqual([]);
  });

  it('events identify vaults and keys by their ids, and contain no key and no token', async () => {
    const { rows } = await database.query(`SELECT * FROM recorded_events`);
    const text = JSON.stringify(rows);
    expect(text).toContain('vaults.dvak-used');
    expect(text).toContain('vaults.version-activated');
    expect(text).toContain('vaults.sharing-enabled');
    expect(found(text, [...forms(), ...consumedCodes])).toEqual([]);
  });

  it('no row contains a key or a token, in bytes or in text', async () => {
    // 9 of vaults; of files their vault's 3, the keys of 2 versions, 3 ISTKs; of shares the vault's 3, a version's, SK, 2 ISTKs.
    expect(secrets).toHaveLength(24);
    for (const table of TABLES) {
      const { rows } = await database.query<Record<string, unknown>>(`SELECT * FROM ${table}`);
      const text = rows
        .flatMap((row) => Object.values(row))
        .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
        .join('\n');
      expect(text).not.toBe('');
      expect(found(text, [...forms(), ...consumedCodes])).toEqual([]);
    }
  });

  it('no file written during the run contains a key or a token, including the tables and the log of PostgreSQL', async () => {
    await database.query(`CREATE TABLE planted AS SELECT 'planted-canary' AS text`);
    const sought = ['planted-canary', ...forms()];
    expect(await heldOnDisk(sought)).toEqual(['planted-canary']);
  });
});
