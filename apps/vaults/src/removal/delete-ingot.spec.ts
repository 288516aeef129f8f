import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@vaultsvc/contracts';
import { deleteIngot, readIngot, readVault, sealVault, updateIngot } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { reasonOf } from '@vaultsvc/testing/harness';
import { IngotRepository } from '../ingot/ingot.repository.js';
import { newVaultFixture, type VaultFixture } from '../testing/ingots.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let fixture: VaultFixture;
beforeAll(async () => {
  fixture = await newVaultFixture(platform);
});

const params = (ingot_id: string, { vault_id } = fixture) => ({ vault_id, ingot_id });
const remove = (reference: string, on = fixture) => on.call(deleteIngot, { params: params(reference, on) });
const rowsLeft = async (ingotId: string) =>
  (
    await platform.sql(
      `SELECT id FROM ingots WHERE id = $1 UNION ALL SELECT id FROM ingot_versions WHERE ingot_id = $1`,
      [ingotId],
    )
  ).length;
const countersOf = async ({ vault_id, call }: VaultFixture) => {
  const { ingot_count, storage_bytes } = await call(readVault, { params: { vault_id } });
  return { ingot_count, storage_bytes };
};

describe('deleting an ingot', () => {
  it('ING-36: deletes the ingot and its keys, and frees its name', async () => {
    const { ingot_id, name } = await fixture.store({ name: 'Goes.txt', hasPending: true });
    expect(await remove(ingot_id)).toBeUndefined();
    expect(await rowsLeft(ingot_id)).toBe(0);
    for (const reference of [ingot_id, ':goes.txt'])
      for (const answer of [
        fixture.call(readIngot, { params: params(reference) }),
        fixture.call(updateIngot, { params: params(reference), body: { name: 'x' } }),
        remove(reference),
      ])
        expect(await reasonOf(answer)).toBe('INGOT_NOT_FOUND');
    const again = await fixture.store({ name });
    expect(await remove(':GOES.txt')).toBeUndefined();
    expect(await rowsLeft(again.ingot_id)).toBe(0);
  });

  it('VLT-25: restores the counters of the vault', async () => {
    const own = await newVaultFixture(platform);
    await own.store({ sizeBytes: 7 });
    const others = [
      await own.store({ sizeBytes: 5_497_558_138_880 }),
      await own.store({ status: 'failed', sizeBytes: 3 }),
      await own.store({ status: 'uploading', age: 3_601 }),
      await own.store({ hasPending: true }),
    ];
    for (const { ingot_id } of others) await remove(ingot_id, own);
    expect(await countersOf(own)).toEqual({ ingot_count: 1, storage_bytes: 7 });
  });

  it('ING-36: publishes the deletion, and the end of each version', async () => {
    const own = await newVaultFixture(platform);
    const whole = await own.store({ sizeBytes: 42, hasPending: true });
    const failed = await own.store({ status: 'failed' });
    await remove(whole.ingot_id, own);
    await remove(failed.ingot_id, own);
    await reasonOf(remove(whole.ingot_id, own));
    const { vault_id, caller } = own;
    const { accountId: account_id, credentialId: actor_id } = caller.credential;
    const fact = (ingot_id: string) => ({ account_id, vault_id, ingot_id });
    const action = (ingot_id: string) => ({ ...fact(ingot_id), actor_type: 'api_key', actor_id });
    const [current, pending] = [whole.currentVersion, whole.pendingVersion];
    expect(await own.events()).toEqual([
      { name: 'vaults.ingot-deleted', payload: action(whole.ingot_id) },
      {
        name: 'vaults.version-released',
        payload: {
          ...fact(whole.ingot_id),
          version_id: current,
          size_bytes: 42,
          reason: 'deleted',
          kept_until: null,
        },
      },
      { name: 'vaults.version-dropped', payload: { ...fact(whole.ingot_id), version_id: pending } },
      { name: 'vaults.ingot-deleted', payload: action(failed.ingot_id) },
    ]);
  });

  it('ING-37 AMB-16: is refused while the first upload is younger than an hour', async () => {
    const young = await fixture.store({ status: 'uploading', age: 3_590 });
    const error = await remove(young.ingot_id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ reason: 'INGOT_UPLOADING', code: 'VALIDATION_ERROR', status: 400 });
    expect(await rowsLeft(young.ingot_id)).toBe(2);
    const stale = await fixture.store({ status: 'uploading', age: 3_601 });
    expect(await reasonOf(remove(stale.ingot_id))).toBe('none');
  });

  it('ING-37 AMB-16: counts the hour from the start of the latest upload', async () => {
    const { ingot_id } = await fixture.store({ status: 'uploading', age: 10_000 });
    await platform.sql(`UPDATE ingots SET opened_at = now() WHERE id = $1`, [ingot_id]);
    expect(await reasonOf(remove(ingot_id))).toBe('INGOT_UPLOADING');
  });

  it('ING-37 AMB-16: is allowed for any other ingot, also during a replacement', async () => {
    for (const status of ['active', 'failed', 'encrypting'] as const) {
      const { ingot_id } = await fixture.store({ status, hasPending: true });
      expect(await reasonOf(remove(ingot_id))).toBe('none');
    }
  });
});

describe('the row of an ingot', () => {
  it('ENV-41 ING-38 AMB-58: is read, renamed and deleted for its own account alone, and not while a product manages it', async () => {
    const { context } = platform.service;
    const [ingots, database] = [context.get(IngotRepository), context.get(Database)];
    const own = { vaultId: fixture.vault_id, accountId: fixture.caller.credential.accountId };
    const foreign = { ...own, accountId: newId('acc_') };
    const { ingot_id: plain } = await fixture.store();
    const { ingot_id: managed } = await fixture.store({ managedBy: 'product-messaging' });
    const changes = (vault: typeof own, ingotId: string) => [
      database.transaction((tx) => ingots.change(tx, vault, ingotId, { name: newId('name_') })),
      database.transaction((tx) => ingots.delete(tx, vault, ingotId)),
    ];
    // Callers look for the ingot before: these are the statements alone.
    const answers = [
      ingots.read(foreign, plain),
      ...changes(foreign, plain),
      ...changes(own, managed),
      ...changes(own, newId('ing_')),
    ];
    const reasons = await Promise.all(answers.map(reasonOf));
    expect(reasons).toEqual(answers.map(() => 'INGOT_NOT_FOUND'));
    expect([await rowsLeft(plain), await rowsLeft(managed)]).toEqual([2, 2]);
  });
});

describe('concurrent deletions', () => {
  it('ING-36: of one ingot succeed once of twenty, with one event', async () => {
    const own = await newVaultFixture(platform);
    await own.store({ sizeBytes: 7 });
    const { ingot_id } = await own.store();
    const reasons = await Promise.all(Array.from({ length: 20 }, () => reasonOf(remove(ingot_id, own))));
    expect(reasons.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'INGOT_NOT_FOUND'), 'none']);
    expect((await own.events()).map(({ name }) => name)).toEqual([
      'vaults.ingot-deleted',
      'vaults.version-released',
    ]);
    expect(await countersOf(own)).toEqual({ ingot_count: 1, storage_bytes: 7 });
  });

  it('VLT-25: of thirty ingots leave exact counters, next to renames and moves', async () => {
    const own = await newVaultFixture(platform);
    const folder_id = await own.folder();
    const stored = await Promise.all(
      Array.from({ length: 30 }, (_, index) => own.store({ name: `n${index}`, sizeBytes: index + 1 })),
    );
    const done = await Promise.all(
      stored.flatMap(({ ingot_id }, index) => [
        reasonOf(remove(ingot_id, own)),
        reasonOf(own.call(updateIngot, { params: params(ingot_id, own), body: { name: `m${index}` } })),
        reasonOf(own.call(updateIngot, { params: params(ingot_id, own), body: { folder_id } })),
      ]),
    );
    expect(new Set(done)).toEqual(new Set(['none', 'INGOT_NOT_FOUND']));
    expect(await countersOf(own)).toEqual({ ingot_count: 0, storage_bytes: 0 });
  });

  it('ING-36: give the freed name to exactly one of the waiting callers', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = await newVaultFixture(platform, fixture.caller);
      const { ingot_id } = await own.store({ name: 'Wanted' });
      const wanting = await Promise.all([own.store(), own.store(), own.store()]);
      const [removed, ...renamed] = await Promise.all([
        reasonOf(remove(ingot_id, own)),
        ...wanting.map((other) =>
          reasonOf(own.call(updateIngot, { params: params(other.ingot_id, own), body: { name: 'wANTED' } })),
        ),
      ]);
      expect(removed).toBe('none');
      for (const reason of renamed) expect(['none', 'INGOT_NAME_TAKEN']).toContain(reason);
      expect(renamed.filter((reason) => reason === 'none').length).toBeLessThanOrEqual(1);
    }
  });

  it('VLT-22 VAT-11: are refused with a token that was sealed before their commit', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = await newVaultFixture(platform, fixture.caller);
      const stored = await Promise.all([own.store(), own.store(), own.store()]);
      const late = await own.store();
      const removing = stored.map(({ ingot_id }) => reasonOf(remove(ingot_id, own)));
      await own.call(sealVault, { params: { vault_id: own.vault_id } });
      expect(await reasonOf(remove(late.ingot_id, own))).toBe('AUTHENTICATION_ERROR');
      for (const reason of await Promise.all(removing))
        expect(['none', 'AUTHENTICATION_ERROR']).toContain(reason);
      expect(await own.eventsSinceSeal()).toEqual([]);
      expect(await rowsLeft(late.ingot_id)).toBe(2);
    }
  });
});
