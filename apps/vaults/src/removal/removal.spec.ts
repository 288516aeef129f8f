import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDvak,
  createVault,
  deleteVault,
  listDvaks,
  listVaults,
  readVault,
  revokeDvak,
  sealVault,
  updateVault,
  type CreatedVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { startPlatform, type Platform } from '../testing/platform.js';
import { RemoveVaults } from './remove-vaults.job.js';

/** A table of the test's own keeps vaults from going, as something that the job has not removed yet would. */
let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ LOG_LEVEL: 'silent' });
  await platform.sql(`CREATE TABLE kept (vault_id text COLLATE "C" REFERENCES vaults)`);
});
afterAll(() => platform.harness.stop());

const caller = accountContext();
let vault: CreatedVault;
beforeEach(async () => {
  vault = await platform.newVault(caller);
  await platform.sql(`INSERT INTO kept SELECT id FROM vaults WHERE id = $1`, [vault.vault_id]);
});
afterEach(() => platform.sql(`DELETE FROM kept`));

const params = () => ({ vault_id: vault.vault_id });
const remove = (context = caller) => platform.call(deleteVault, { params: params() }, context);
const release = () => platform.sql(`DELETE FROM kept`);
const runJob = () => platform.service.context.get(RemoveVaults).run();
const gone = () =>
  eventually(
    () => reasonOf(remove()),
    (reason) => reason === 'VAULT_NOT_FOUND',
  );
const nhi = () => ({ vmk: vault.vmk, dvak_type: 'nhi', nhi_description: 'x' }) as const;
const count = async (table: string) =>
  (
    await platform.sql<{ rows: number }>(`SELECT count(*) AS rows FROM ${table} WHERE vault_id = $1`, [
      vault.vault_id,
    ])
  )[0]?.rows;

describe('deleting a vault', () => {
  it('VLT-23 OPEN-12: is answered at once, alike while it lasts, and 404 afterwards', async () => {
    const answer = { vault_id: vault.vault_id, status: 'deleting' };
    expect(await remove()).toEqual(answer);
    expect(await remove()).toEqual(answer);
    await runJob();
    expect(await remove()).toEqual(answer);
    await release();
    await runJob();
    await gone();
    const told = await platform.sql<{ name: string }>(
      `SELECT name FROM outbox WHERE payload->>'vault_id' = $1 ORDER BY seq`,
      [vault.vault_id],
    );
    expect(told.map(({ name }) => name)).toEqual(['vaults.created', 'vaults.deleted', 'vaults.removed']);
  });

  it('OPEN-12: every operation on it is 404 at once, and only its own list shows it', async () => {
    const { vat } = await platform.unseal(vault.vault_id, { vmk: vault.vmk }, caller);
    const { dvak_token, last_4_chars } = await platform.call(
      createDvak,
      { params: params(), body: nhi() },
      caller,
    );
    await remove();
    const refused = [
      platform.call(readVault, { params: params() }, caller),
      platform.call(updateVault, { params: params(), body: { name: 'x' } }, caller),
      platform.call(sealVault, { params: params() }, caller),
      platform.call(createDvak, { params: params(), body: nhi() }, caller),
      platform.call(listDvaks, { params: params(), query: {} }, caller),
      platform.call(revokeDvak, { params: { ...params(), last4: last_4_chars } }, caller),
      platform.unseal(vault.vault_id, { vmk: vault.vmk }, caller),
      platform.unseal(vault.vault_id, { dvak_token }, caller),
      platform.enter(vault.vault_id, vat, 'read', caller),
    ];
    for (const reason of await Promise.all(refused.map(reasonOf))) expect(reason).toBe('VAULT_NOT_FOUND');
    const listed = async (status?: 'deleting') =>
      (await platform.call(listVaults, { query: { ...(status && { status }) } }, caller)).vaults.find(
        ({ vault_id }) => vault_id === vault.vault_id,
      )?.status;
    expect([await listed(), await listed('deleting')]).toEqual([undefined, 'deleting']);
    await release();
    await runJob();
    await gone();
    expect(await reasonOf(platform.enter(vault.vault_id, vat, 'read', caller))).toBe('AUTHENTICATION_ERROR');
  });

  it('OPEN-12 VLT-26: with its commit no wrap of its key is left', async () => {
    await platform.unseal(vault.vault_id, { vmk: vault.vmk }, caller);
    await platform.call(createDvak, { params: params(), body: nhi() }, caller);
    await remove();
    const wraps = await platform.sql(
      `SELECT wrapped_key FROM vault_keys WHERE vault_id = $1
       UNION ALL SELECT wrapped_key FROM dvaks WHERE vault_id = $1 AND wrapped_key IS NOT NULL
       UNION ALL SELECT wrapped_key FROM vault_sessions WHERE vault_id = $1 AND wrapped_key IS NOT NULL`,
      [vault.vault_id],
    );
    expect(wraps).toEqual([]);
  });

  it('OPEN-12 VLT-24: its name is free at once', async () => {
    await remove();
    const again = await platform.call(createVault, { body: { name: vault.name.toUpperCase() } }, caller);
    expect(await platform.call(readVault, { params: again }, caller)).toMatchObject({ status: 'sealed' });
  });

  it('ENV-41: of another account is that of no vault, and changes nothing', async () => {
    expect(await reasonOf(remove(accountContext()))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(platform.call(readVault, { params: params() }, caller))).toBe('none');
    const nobody = platform.call(deleteVault, { params: { vault_id: newId('vlt_') } }, caller);
    expect(await reasonOf(nobody)).toBe('VAULT_NOT_FOUND');
  });

  it('OPEN-12: of twenty unsealings and ten deletions at once nothing stays open, and one event tells of it', async () => {
    const { vault_id, vmk } = vault;
    const opening = Array.from({ length: 20 }, () =>
      platform.unseal(vault_id, { vmk }, caller).then(
        ({ vat }) => [vat],
        () => [],
      ),
    );
    const deleting = Array.from({ length: 10 }, () => reasonOf(remove()));
    const [vats, reasons] = await Promise.all([Promise.all(opening), Promise.all(deleting)]);
    expect(new Set(reasons)).toEqual(new Set(['none']));
    for (const vat of vats.flat())
      expect(await reasonOf(platform.enter(vault_id, vat, 'read', caller))).toBe('VAULT_NOT_FOUND');
    expect(
      await platform.sql(`SELECT 1 FROM vault_sessions WHERE vault_id = $1 AND wrapped_key IS NOT NULL`, [
        vault_id,
      ]),
    ).toEqual([]);
    expect(
      await platform.sql(`SELECT 1 FROM outbox WHERE name = 'vaults.deleted' AND payload->>'vault_id' = $1`, [
        vault_id,
      ]),
    ).toHaveLength(1);
  });
});

describe('VLT-24: the removal of what is left', () => {
  const fill = () =>
    platform.sql(
      `INSERT INTO vault_sessions (lookup, id, vault_id, account_id, access_level, issued_at, expires_at, seal_epoch)
       SELECT convert_to(gen_random_uuid()::text, 'UTF8'), gen_random_uuid()::text, $1, $2, 'read', now(), now(), 0
         FROM generate_series(1, 1234)`,
      [vault.vault_id, caller.credential.accountId],
    );

  it('goes on from the rows that are there after it stopped in the middle', async () => {
    await fill();
    await platform.call(createDvak, { params: params(), body: nhi() }, caller);
    await remove();
    await platform.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stopped'; END $$`,
    );
    await platform.sql(`CREATE TRIGGER stop BEFORE DELETE ON dvaks EXECUTE FUNCTION refuse()`);
    await runJob();
    expect([await count('vault_sessions'), await count('dvaks')]).toEqual([0, 1]);
    expect(await remove()).toMatchObject({ status: 'deleting' });
    await platform.sql(`DROP TRIGGER stop ON dvaks`);
    await release();
    await runJob();
    await gone();
    expect(await count('dvaks')).toBe(0);
  });

  it('is done by several copies at once, and told of once; a vault that cannot go keeps none waiting', async () => {
    await fill();
    await remove();
    const other = await platform.newVault(caller);
    await platform.call(deleteVault, { params: other }, caller);
    await runJob(); // the first is held, the second is not
    expect(await platform.sql(`SELECT 1 FROM vaults WHERE id = $1`, [other.vault_id])).toEqual([]);
    await release();
    await Promise.all([runJob(), runJob(), runJob()]);
    await runJob();
    await gone();
    const told = await platform.sql(
      `SELECT 1 FROM outbox WHERE name = 'vaults.removed' AND payload->>'vault_id' = $1`,
      [vault.vault_id],
    );
    expect(told).toHaveLength(1);
  });
});
