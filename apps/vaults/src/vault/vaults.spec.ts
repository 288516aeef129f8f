import { describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  createVault,
  listVaults,
  readVault,
  updateVault,
  type VaultChange,
  type VaultQuery,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { parseToken } from '@vaultsvc/crypto/tokens';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();

const caller = accountContext();
const person = (accountId: string, role: 'owner' | 'admin' | 'member') =>
  accountContext({ kind: 'session', accountId, userId: newId('usr_'), role });
const create = (name: unknown, context = caller) =>
  platform.call(createVault, { body: { name: name as string } }, context);
const list = (query: Partial<VaultQuery> = {}, context = caller) =>
  platform.call(listVaults, { query }, context);
const read = (vault_id: string, context: AccountContext = caller) =>
  platform.call(readVault, { params: { vault_id } }, context);
const update = (vault_id: string, body: VaultChange, context = caller) =>
  platform.call(updateVault, { params: { vault_id }, body }, context);
const now = () => Math.floor(Date.now() / 1_000);

describe('creating a vault', () => {
  it('VLT-01: requires a name of 1 to 200 characters', async () => {
    for (const name of [undefined, null, '', '  ', 7, 'x'.repeat(201)])
      expect(await reasonOf(create(name))).toBe('VALIDATION_ERROR');
    expect((await create('😀'.repeat(200))).name).toBe('😀'.repeat(200));
  });

  it('VLT-03: returns its id, its name, its key with a warning, and its time', async () => {
    const vault = await create('Answered');
    expect(vault).toEqual({
      vault_id: expect.stringMatching(/^vlt_[0-9A-Za-z]{22}$/),
      name: 'Answered',
      vmk: expect.stringMatching(/^vmk_[0-9A-Za-z]{49}$/),
      vmk_warning: expect.stringContaining('cannot be'),
      created_at: expect.any(Number),
    });
    expect(Math.abs(vault.created_at - now())).toBeLessThan(5);
    expect(parseToken('vmk', vault.vmk)).toHaveLength(32);
  });

  it('VLT-04: is the only answer with its key', async () => {
    const { vault_id, vmk } = await create('Silent');
    const answers = [await read(vault_id), await list(), await update(vault_id, { description: 'x' })];
    expect(JSON.stringify(answers)).not.toContain(vmk.slice(4));
    expect(JSON.stringify(answers)).not.toContain('vmk');
  });

  it('VLT-02: rejects the name of another vault of the account in any case', async () => {
    const [one, other] = [accountContext(), accountContext()];
    await create('Ops', one);
    for (const name of ['Ops', 'oPS']) expect(await reasonOf(create(name, one))).toBe('VAULT_NAME_TAKEN');
    expect((await create('ＯＰＳ', one)).name).toBe('ＯＰＳ');
    expect(await reasonOf(create('ｏｐｓ', one))).toBe('VAULT_NAME_TAKEN');
    expect((await create('oPS', other)).name).toBe('oPS');
  });

  it('VLT-02: succeeds once of twenty concurrent calls with one name', async () => {
    const context = accountContext();
    const names = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'Race' : 'rACE'));
    const reasons = await Promise.all(names.map((name) => reasonOf(create(name, context))));
    expect(reasons.filter((reason) => reason === 'none')).toHaveLength(1);
    expect(reasons.filter((reason) => reason === 'VAULT_NAME_TAKEN')).toHaveLength(19);
    expect((await list({}, context)).count).toBe(1);
    expect(
      await platform.sql(`SELECT 1 FROM recorded_events WHERE account_id = $1`, [
        context.credential.accountId,
      ]),
    ).toHaveLength(1);
  });
});

describe('listing vaults', () => {
  it('VLT-05: returns pages of 1 to 500, newest first, each vault once', async () => {
    const context = accountContext();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await create(name, context);
    for (const limit of [0, 501, 1.5])
      expect(await reasonOf(list({ limit }, context))).toBe('VALIDATION_ERROR');
    const seen = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, ...(cursor && { cursor }) }, context);
      expect(page).toMatchObject({ count: page.vaults.length, has_more: page.next_cursor !== undefined });
      seen.push(...page.vaults.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(names.toReversed());
    expect((await list({ limit: 500 }, context)).count).toBe(5);
  });

  it('VLT-06: returns the documented fields of each vault, and no vault of another account', async () => {
    const context = accountContext();
    const { vault_id, created_at } = await create('Listed', context);
    expect(await list({}, context)).toEqual({
      vaults: [
        {
          vault_id,
          name: 'Listed',
          status: 'sealed',
          ingot_count: 0,
          storage_bytes: 0,
          total_access_count: 0,
          total_bandwidth_bytes: 0,
          created_at,
        },
      ],
      count: 1,
      has_more: false,
    });
  });

  it('VLT-08: filters by the stored status', async () => {
    const context = accountContext();
    await create('Stored', context);
    expect((await list({ status: 'active' }, context)).count).toBe(1);
    for (const status of ['sealed', 'unsealed', 'deleting'] as const)
      expect((await list({ status }, context)).count).toBe(0);
    expect(await reasonOf(list({ status: 'x' as 'active' }, context))).toBe('VALIDATION_ERROR');
  });
});

describe('reading a vault', () => {
  it('VLT-09 OPEN-20: returns all fields', async () => {
    const creator = person(newId('acc_'), 'member');
    const { vault_id, created_at } = await create('Shown', creator);
    expect(await read(vault_id, creator)).toEqual({
      vault_id,
      name: 'Shown',
      description: null,
      status: 'sealed',
      public_file_sharing: false,
      ingot_count: 0,
      storage_bytes: 0,
      total_access_count: 0,
      total_bandwidth_bytes: 0,
      created_at,
      created_by_user_id: creator.credential.userId,
      last_unsealed_at: null,
      unseal_count: 0,
    });
    expect(await read((await create('By a key')).vault_id)).toMatchObject({ created_by_user_id: null });
  });

  it('VLT-25: returns the counters of the row', async () => {
    const { vault_id } = await create('Counted');
    await platform.sql(
      `UPDATE vaults SET ingot_count = 1, storage_bytes = 5497558138880, total_access_count = 3, total_bandwidth_bytes = 4 WHERE id = $1`,
      [vault_id],
    );
    const counters = {
      ingot_count: 1,
      storage_bytes: 5_497_558_138_880,
      total_access_count: 3,
      total_bandwidth_bytes: 4,
    };
    expect(await read(vault_id)).toMatchObject(counters);
    expect((await list()).vaults.find((vault) => vault.vault_id === vault_id)).toMatchObject(counters);
  });

  it('ENV-41: answers 404 for a vault of another account', async () => {
    const { vault_id } = await create('Foreign');
    const stranger = accountContext();
    expect(await reasonOf(read(vault_id, stranger))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(update(vault_id, { name: 'Mine' }, stranger))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(read(newId('vlt_')))).toBe('VAULT_NOT_FOUND');
    expect(await read(vault_id)).toMatchObject({ name: 'Foreign' });
  });
});

describe('updating a vault', () => {
  it('VLT-11: requires a field, and each within its limit', async () => {
    const { vault_id } = await create('Limits');
    for (const body of [{}, { description: 'x'.repeat(1_001) }, { name: 'x'.repeat(201) }, { name: null }])
      expect(await reasonOf(update(vault_id, body as VaultChange))).toBe('VALIDATION_ERROR');
    expect((await update(vault_id, { description: 'x'.repeat(1_000) })).description).toHaveLength(1_000);
  });

  it('VLT-11: clears the description with null, and keeps an absent one', async () => {
    const { vault_id } = await create('Described');
    await update(vault_id, { description: 'kept' });
    expect(await update(vault_id, { name: 'Described anew' })).toMatchObject({ description: 'kept' });
    expect(await update(vault_id, { description: null })).toMatchObject({
      name: 'Described anew',
      description: null,
    });
  });

  it('VLT-11 VLT-12: rejects the name of another vault, and accepts its own in any case', async () => {
    const context = accountContext();
    const [one] = [await create('One', context), await create('Two', context)];
    expect(await reasonOf(update(one.vault_id, { name: 'tWO' }, context))).toBe('VAULT_NAME_TAKEN');
    expect(await update(one.vault_id, { name: 'oNE' }, context)).toMatchObject({ name: 'oNE' });
  });

  it('VLT-12: returns the vault with the time of the change, never in the future', async () => {
    const { vault_id } = await create('Times');
    const times: number[] = [];
    for (const name of ['Times 1', 'Times 2', 'Times 3', 'Times 4']) {
      const updated = await update(vault_id, { name });
      expect(updated).toEqual({ vault_id, name, description: null, updated_at: expect.any(Number) });
      times.push(updated.updated_at);
    }
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000));
  });

  it('OPEN-20: lets admins and owners switch sharing, which counts as a field', async () => {
    const accountId = newId('acc_');
    const { vault_id } = await create('Shared', person(accountId, 'member'));
    const share = (role: 'owner' | 'admin' | 'member', public_file_sharing: boolean) =>
      reasonOf(update(vault_id, { public_file_sharing }, person(accountId, role)));
    expect(await share('member', true)).toBe('ROLE_REQUIRED');
    expect(await share('owner', true)).toBe('none');
    expect(await read(vault_id, person(accountId, 'member'))).toMatchObject({ public_file_sharing: true });
    expect(await share('admin', false)).toBe('none');
    expect(await reasonOf(update(vault_id, { name: 'Renamed' }, person(accountId, 'member')))).toBe('none');
  });

  it('publishes one event per committed change, with ids only', async () => {
    const context = accountContext();
    const { vault_id } = await create('Told', context);
    await update(vault_id, { name: 'Told again' }, context);
    await reasonOf(update(vault_id, { name: 'x'.repeat(300) }, context));
    const { accountId, credentialId } = context.credential;
    const payload = { vault_id, account_id: accountId, actor_type: 'api_key', actor_id: credentialId };
    expect(
      await platform.sql(`SELECT name, payload FROM recorded_events WHERE account_id = $1 ORDER BY seq`, [
        accountId,
      ]),
    ).toEqual([
      { name: 'vaults.created', payload },
      { name: 'vaults.updated', payload },
    ]);
  });
});
