import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
import { Database } from '@vaultsvc/database';
import { accountContext, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '../testing/platform.js';
import { RemovalRepository } from './removal.repository.js';
import { RemoveVaults } from './remove-vaults.job.js';

/** A table of the test references vaults and so prevents their deletion, like rows that the job has not removed yet. */
const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await stopSchedule(platform.service);
  await platform.sql(`CREATE TABLE kept (vault_id text COLLATE "C" REFERENCES vaults)`);
});

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
  it('VLT-23 OPEN-12: answers at once, repeatedly until the removal ends, and then 404', async () => {
    const answer = { vault_id: vault.vault_id, status: 'deleting' };
    expect(await remove()).toEqual(answer);
    expect(await remove()).toEqual(answer);
    await runJob();
    expect(await remove()).toEqual(answer);
    await release();
    await runJob();
    await gone();
    const published = await outboxEvents(
      platform.service,
      { vault_id: vault.vault_id },
      { columns: ['name'] },
    );
    expect(published.map(({ name }) => name)).toEqual(['vaults.created', 'vaults.deleted', 'vaults.removed']);
  });

  it('OPEN-12: makes every operation on the vault answer 404 at once, and only the list of deleting vaults shows it', async () => {
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
      platform.openSession(vault.vault_id, vat, 'read', caller),
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
    expect(await reasonOf(platform.openSession(vault.vault_id, vat, 'read', caller))).toBe(
      'AUTHENTICATION_ERROR',
    );
  });

  it('OPEN-12 VLT-26: destroys every wrap of the vault key with its commit', async () => {
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

  it('AMB-18: is refused with 403 to the viewer seat, in every role, and changes nothing', async () => {
    const { accountId } = caller.credential;
    for (const role of ['owner', 'admin', 'member'] as const) {
      const session = { kind: 'session', accountId, userId: newId('usr_'), role } as const;
      await expect(remove(accountContext({ ...session, seat: 'viewer' }))).rejects.toMatchObject({
        code: 'FORBIDDEN',
        reason: 'FULL_SEAT_REQUIRED',
        status: 403,
      });
    }
    expect(await platform.call(readVault, { params: params() }, caller)).toMatchObject({ status: 'sealed' });
  });

  it('VLT-23 AMB-18: is open to a member with a full seat', async () => {
    const { accountId } = caller.credential;
    const member = { kind: 'session', accountId, userId: newId('usr_'), role: 'member' } as const;
    expect(await remove(accountContext({ ...member, seat: 'full' }))).toMatchObject({ status: 'deleting' });
  });

  it('AUD-13: publishes the actor and the figures of what was removed, revoked keys apart', async () => {
    const { accountId } = caller.credential;
    for (let i = 0; i < 2; i++) await platform.call(createDvak, { params: params(), body: nhi() }, caller);
    const revoked = await platform.call(createDvak, { params: params(), body: nhi() }, caller);
    await platform.call(revokeDvak, { params: { ...params(), last4: revoked.last_4_chars } }, caller);
    await platform.sql(
      `INSERT INTO folders (id, vault_id, name, folded_name) VALUES ('fld_1', $1, 'a', 'a')`,
      [vault.vault_id],
    );
    await platform.sql(`UPDATE vaults SET ingot_count = 3, storage_bytes = 4096 WHERE id = $1`, [
      vault.vault_id,
    ]);
    const actor = accountContext({ kind: 'session', accountId, userId: 'usr_1', role: 'member' });
    await remove(actor);
    const [deleted] = await outboxEvents(
      platform.service,
      { vault_id: vault.vault_id },
      { name: 'vaults.deleted', columns: ['payload'] },
    );
    expect(deleted?.payload).toEqual({
      vault_id: vault.vault_id,
      account_id: accountId,
      actor_type: 'session',
      actor_id: 'usr_1',
      ingot_count: 3,
      folder_count: 1,
      dvak_count: 2,
      storage_bytes: 4096,
    });
  });

  it('OPEN-12 VLT-24: frees the name at once', async () => {
    await remove();
    const again = await platform.call(createVault, { body: { name: vault.name.toUpperCase() } }, caller);
    expect(await platform.call(readVault, { params: again }, caller)).toMatchObject({ status: 'sealed' });
  });

  it('ENV-41: answers 404 for a vault of another account, and changes nothing', async () => {
    expect(await reasonOf(remove(accountContext()))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(platform.call(readVault, { params: params() }, caller))).toBe('none');
    const nobody = platform.call(deleteVault, { params: { vault_id: newId('vlt_') } }, caller);
    expect(await reasonOf(nobody)).toBe('VAULT_NOT_FOUND');
    await remove();
    expect(await reasonOf(remove(accountContext()))).toBe('VAULT_NOT_FOUND'); // while it is being deleted, too
  });

  it('OPEN-12: leaves no valid token of twenty unsealings concurrent with ten deletions, and publishes one event', async () => {
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
      expect(await reasonOf(platform.openSession(vault_id, vat, 'read', caller))).toBe('VAULT_NOT_FOUND');
    expect(
      await platform.sql(`SELECT 1 FROM vault_sessions WHERE vault_id = $1 AND wrapped_key IS NOT NULL`, [
        vault_id,
      ]),
    ).toEqual([]);
    expect(await outboxEvents(platform.service, { vault_id }, { name: 'vaults.deleted' })).toHaveLength(1);
  });
});

describe('VLT-24: the removal job', () => {
  const fill = () =>
    platform.sql(
      `INSERT INTO vault_sessions (lookup, id, vault_id, account_id, access_level, issued_at, expires_at, seal_epoch)
       SELECT convert_to(gen_random_uuid()::text, 'UTF8'), gen_random_uuid()::text, $1, $2, 'read', now(), now(), 0
         FROM generate_series(1, 1234)`,
      [vault.vault_id, caller.credential.accountId],
    );

  it('continues with the remaining rows after a crash', async () => {
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

  it('removes no vault that is not marked for deletion', async () => {
    const { context } = platform.service;
    const identity = { vaultId: vault.vault_id, accountId: caller.credential.accountId };
    await release();
    const removed = context
      .get(Database)
      .transaction((tx) => context.get(RemovalRepository).remove(tx, identity));
    expect(await removed).toBe(false);
    expect(await platform.call(readVault, { params: params() }, caller)).toMatchObject({ status: 'sealed' });
  });

  it('runs in several instances at once with one event per vault; a failing vault does not delay the others', async () => {
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
    const published = await outboxEvents(
      platform.service,
      { vault_id: vault.vault_id },
      { name: 'vaults.removed' },
    );
    expect(published).toHaveLength(1);
  });
});

describe('VLT-24: the ingots of a deleted vault', () => {
  const INGOTS = 1_234;
  /** Two of three ingots have content; every second one has an open upload and a folder. */
  const fill = () =>
    platform.sql(insertIngots, [vault.vault_id, caller.credential.accountId, newId('fld_'), INGOTS]);
  const versionsLeft = async () =>
    (
      await platform.sql<{ id: string }>(`SELECT id FROM ingot_versions WHERE vault_id = $1`, [
        vault.vault_id,
      ])
    ).map(({ id }) => id);
  const published = async (name: string) =>
    (
      await platform.sql<{ version: string }>(
        `SELECT payload->>'version_id' AS version FROM recorded_events WHERE name = $1 AND payload->>'vault_id' = $2`,
        [name, vault.vault_id],
      )
    ).map(({ version }) => version);
  const allPublished = async () => [
    ...(await published('vaults.version-released')),
    ...(await published('vaults.version-dropped')),
  ];

  it('are deleted in batches with their keys and folders, with one event per version', async () => {
    await fill();
    const versions = await versionsLeft();
    await remove();
    await release();
    await Promise.all([runJob(), runJob(), runJob()]);
    await runJob();
    await gone();
    for (const table of ['ingots', 'ingot_versions', 'folders'])
      expect([table, await count(table)]).toEqual([table, 0]);
    expect((await allPublished()).toSorted()).toEqual(versions.toSorted());
    expect(await published('vaults.version-released')).toHaveLength(823);
    expect(await published('vaults.version-dropped')).toHaveLength(617);
  });

  it('are published with the data that reporting and forge need, without an actor', async () => {
    await fill();
    await remove();
    await release();
    await runJob();
    const facts = await platform.sql<{ name: string; payload: object; account_id: string; request_id: null }>(
      `SELECT name, payload, account_id, request_id FROM recorded_events
        WHERE payload->>'version_id' IN ('ver_c2' || $1, 'ver_p2' || $1) ORDER BY name DESC`,
      [vault.vault_id],
    );
    const { accountId: account_id } = caller.credential;
    const of = { account_id, vault_id: vault.vault_id, ingot_id: expect.stringMatching(/^ing_/) };
    const row = { account_id, request_id: null };
    expect(facts).toEqual([
      {
        ...row,
        name: 'vaults.version-released',
        payload: { ...of, version_id: `ver_c2${vault.vault_id}`, size_bytes: 2, reason: 'deleted' },
      },
      { ...row, name: 'vaults.version-dropped', payload: { ...of, version_id: `ver_p2${vault.vault_id}` } },
    ]);
  });

  it('are deleted and published together or not at all when the job crashes, and the job continues', async () => {
    await fill();
    const versions = await versionsLeft();
    // A sequence is not rolled back, so the job stops at the 1,100th row, whichever that is.
    await platform.sql(`CREATE SEQUENCE halted`);
    await platform.sql(
      `CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
       $$ BEGIN IF nextval('halted') >= 1100 THEN RAISE 'stopped'; END IF; RETURN old; END $$`,
    );
    await platform.sql(`CREATE TRIGGER halt BEFORE DELETE ON ingots FOR EACH ROW EXECUTE FUNCTION halt()`);
    await remove();
    await release();
    await runJob();
    const left = await versionsLeft();
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(versions.length);
    expect([...left, ...(await allPublished())].toSorted()).toEqual(versions.toSorted());
    await platform.sql(`DROP TRIGGER halt ON ingots`);
    await runJob();
    await gone();
    expect((await allPublished()).toSorted()).toEqual(versions.toSorted());
  });

  const insertIngots = `
    WITH folder AS (INSERT INTO folders (vault_id, id, name, folded_name) VALUES ($1, $3, 'f', 'f') RETURNING id),
       added AS (
         INSERT INTO ingots (id, vault_id, account_id, folder_id, name, folded_name, file_type, content_type, size_bytes,
                             status, current_version, pending_version)
         SELECT 'ing_' || substr(md5($1 || n), 1, 22), $1, $2, CASE WHEN n % 2 = 0 THEN folder.id END, n::text, n::text,
                'other', 'x/y', n, CASE WHEN n % 3 > 0 THEN 'active' ELSE 'uploading' END,
                CASE WHEN n % 3 > 0 THEN 'ver_c' || n || $1 END, CASE WHEN n % 2 = 0 THEN 'ver_p' || n || $1 END
           FROM folder, generate_series(1, $4::integer) n
         RETURNING id, current_version, pending_version)
    INSERT INTO ingot_versions (id, ingot_id, vault_id, account_id, size_bytes, content_type, wrapped_key)
    SELECT version, id, $1, $2, 1, 'x/y', ''
      FROM added, unnest(ARRAY[current_version, pending_version]) version WHERE version IS NOT NULL`;
});
