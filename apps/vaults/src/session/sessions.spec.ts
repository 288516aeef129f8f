import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { createDvak, listVaults, readVault, sealVault, type Unsealing } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintToken, parseToken } from '@vaultsvc/crypto/tokens';
import { accountContext, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';
import { ForgetTokens } from './forget-tokens.job.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await stopSchedule(platform.service);
});

const caller = accountContext();
const newVault = (context = caller) => platform.newVault(context);
const unseal = (id: string, body: Partial<Unsealing>, context = caller) => platform.unseal(id, body, context);
const seal = (vault_id: string, context = caller) =>
  platform.call(sealVault, { params: { vault_id } }, context);
const read = (vault_id: string) => platform.call(readVault, { params: { vault_id } }, caller);
const openSession = (
  id: string,
  vat: string,
  level: 'read' | 'write' = 'write',
  context: AccountContext = caller,
) => reasonOf(platform.openSession(id, vat, level, context));

async function unsealed(body: Partial<Unsealing> = {}) {
  const { vault_id, vmk } = await newVault();
  return { vmk, ...(await unseal(vault_id, { vmk, ...body })) };
}

const lookupOf = (vat: string) => lookupHash('vat', parseToken('vat', vat) as Buffer);

/** Shifts the last unsealing by a day. Returns its time, in seconds. */
const agoUnsealed = async (vault_id: string) => {
  await platform.sql(
    `UPDATE vaults SET last_unsealed_at = last_unsealed_at - interval '1 day' WHERE id = $1`,
    [vault_id],
  );
  return (await read(vault_id)).last_unsealed_at;
};

/** Shifts the times of a token into the past. */
const age = (vat: string, interval: string) =>
  platform.sql(
    `UPDATE vault_sessions SET issued_at = issued_at - $2::interval, expires_at = expires_at - $2::interval WHERE lookup = $1`,
    [lookupOf(vat), interval],
  );

describe('unsealing with the master key', () => {
  it('VLT-17: returns a token, its times and a warning', async () => {
    const { vault_id, vmk } = await newVault();
    const answer = await unseal(vault_id, { vmk, ttl_seconds: 600 });
    expect(answer).toEqual({
      vat: expect.stringMatching(/^vat_[0-9A-Za-z]{49}$/),
      vault_id,
      issued_at: expect.any(Number),
      expires_at: answer.issued_at + 600,
      ttl_seconds: 600,
      warning: expect.stringContaining('not shown again'),
    });
    expect(Math.abs(answer.issued_at - Date.now() / 1_000)).toBeLessThan(5);
  });

  it('VLT-16 VAT-12: lasts for 1 to 86,400 seconds, by default an hour', async () => {
    const { vault_id, vmk } = await newVault();
    expect((await unseal(vault_id, { vmk })).ttl_seconds).toBe(3_600);
    expect((await unseal(vault_id, { vmk, ttl_seconds: 86_400 })).ttl_seconds).toBe(86_400);
    for (const ttl_seconds of [0, 86_401, 1.5, -1])
      expect(await reasonOf(unseal(vault_id, { vmk, ttl_seconds }))).toBe('VALIDATION_ERROR');
  });

  it('VLT-13: requires exactly one key', async () => {
    const { vault_id, vmk } = await newVault();
    const both = { vmk, dvak_token: mintToken('dvak').text };
    for (const body of [{}, both]) expect(await reasonOf(unseal(vault_id, body))).toBe('VALIDATION_ERROR');
  });

  it('VLT-15 VLT-18: answers 400 for a malformed delegated key and 401 for an unknown one, in either field', async () => {
    const { vault_id } = await newVault();
    const unknown = mintToken('dvak').text;
    const wrongChecksum = unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0');
    for (const dvak_token of ['abc', '', ` ${unknown}`, `${unknown} `, `${unknown}0`, unknown.toUpperCase()])
      expect(await reasonOf(unseal(vault_id, { dvak_token }))).toBe('VALIDATION_ERROR');
    for (const vmk of ['dvak_', `${unknown} `, unknown.slice(0, -1)])
      expect(await reasonOf(unseal(vault_id, { vmk }))).toBe('VALIDATION_ERROR');
    for (const key of [unknown, wrongChecksum])
      for (const body of [{ dvak_token: key }, { vmk: key }])
        expect(await reasonOf(unseal(vault_id, body))).toBe('DVAK_INVALID');
  });

  it('VLT-20 ENV-28: answers 412 for another master key, and counts nothing', async () => {
    const [one, other] = [await newVault(), await newVault()];
    const mistyped = one.vmk.slice(0, -1) + (one.vmk.endsWith('0') ? '1' : '0');
    for (const vmk of [other.vmk, mintToken('vmk').text, mistyped, 'hunter2', ''])
      expect(await reasonOf(unseal(one.vault_id, { vmk }))).toBe('VAULT_KEY_WRONG');
    expect(await read(one.vault_id)).toMatchObject({ unseal_count: 0, last_unsealed_at: null });
  });

  it('VLT-21: increments unseal_count and sets last_unsealed_at', async () => {
    const { vault_id, vmk, issued_at } = await unsealed();
    expect(await read(vault_id)).toMatchObject({ unseal_count: 1, last_unsealed_at: issued_at });
    await agoUnsealed(vault_id);
    await unseal(vault_id, { vmk });
    const { unseal_count, last_unsealed_at } = await read(vault_id);
    expect(unseal_count).toBe(2);
    expect(Math.abs((last_unsealed_at ?? 0) - Date.now() / 1_000)).toBeLessThan(3_600); // not a day ago
  });

  it('VLT-21: counts an unsealing with a delegated key, and no vault but its own', async () => {
    const [{ vault_id, vmk }, other] = [await newVault(), await newVault()];
    const key = { dvak_type: 'nhi', nhi_description: 'a program' } as const;
    const { dvak_token } = await platform.call(
      createDvak,
      { params: { vault_id }, body: { vmk, ...key } },
      caller,
    );
    const { issued_at } = await unseal(vault_id, { dvak_token });
    expect(await read(vault_id)).toMatchObject({ unseal_count: 1, last_unsealed_at: issued_at });
    expect(await read(other.vault_id)).toMatchObject({ unseal_count: 0, last_unsealed_at: null });
  });

  it('VLT-21: leaves both as they are when an unsealing fails, and when the vault is sealed', async () => {
    const { vault_id } = await unsealed();
    const at = await agoUnsealed(vault_id);
    const fails = [
      unseal(vault_id, { vmk: mintToken('vmk').text }),
      unseal(vault_id, { vmk: mintToken('dvak').text }),
      unseal(vault_id, {}),
    ];
    expect(await Promise.all(fails.map(reasonOf))).toEqual([
      'VAULT_KEY_WRONG',
      'DVAK_INVALID',
      'VALIDATION_ERROR',
    ]);
    await seal(vault_id);
    expect(await read(vault_id)).toMatchObject({ unseal_count: 1, last_unsealed_at: at });
  });

  it('ENV-41 AMB-13: answers 404 for a vault of another account, with any key', async () => {
    const { vault_id, vmk } = await newVault();
    for (const key of [vmk, mintToken('dvak').text])
      expect(await reasonOf(unseal(vault_id, { vmk: key }, accountContext()))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(seal(vault_id, accountContext()))).toBe('VAULT_NOT_FOUND');
  });

  it('is published like sealing, with ids only', async () => {
    const { vault_id } = await unsealed();
    await seal(vault_id);
    const { accountId, credentialId } = caller.credential;
    const action = { vault_id, account_id: accountId, actor_type: 'api_key', actor_id: credentialId };
    const published = await outboxEvents(platform.service, { vault_id }, { columns: ['name', 'payload'] });
    expect(published).toEqual([
      { name: 'vaults.created', payload: action },
      { name: 'vaults.unsealed', payload: { ...action, dvak_id: null } },
      { name: 'vaults.sealed', payload: { ...action, seal_epoch: 1 } },
    ]);
  });
});

describe('a Vault Access Token', () => {
  it('VAT-07: reads and writes when the master key minted it', async () => {
    const { vault_id, vat } = await unsealed();
    expect(await platform.openSession(vault_id, vat, 'write', caller)).toEqual({
      vault_id,
      access_level: 'read_write',
    });
    expect(await openSession(vault_id, vat, 'read')).toBe('none');
  });

  it('VAT-04: is refused with 401 when it is unknown, malformed or empty, also for an unknown vault', async () => {
    const { vault_id, vat } = await unsealed();
    const junk = [mintToken('vat').text, `${vat} `, vat.slice(0, -1), vat.toLowerCase(), 'vat_', '', 'x'];
    for (const wrong of junk)
      for (const id of [vault_id, newId('vlt_')])
        expect(await openSession(id, wrong)).toBe('AUTHENTICATION_ERROR');
  });

  it('VAT-01 AMB-13: is refused for callers without an account, and for vaults that the account does not have', async () => {
    const { vault_id, vat } = await unsealed();
    const nobody = { ...caller, credential: { kind: 'none' } } as unknown as AccountContext;
    expect(await openSession(vault_id, vat, 'read', nobody)).toBe('AUTHENTICATION_ERROR');
    expect(await openSession(newId('vlt_'), vat)).toBe('VAULT_NOT_FOUND');
    expect(await openSession(vault_id, vat, 'read', accountContext())).toBe('VAULT_NOT_FOUND');
  });

  it('VAT-03: is refused with 403 for another vault or account', async () => {
    const [{ vat }, other] = [await unsealed(), await newVault()];
    expect(await openSession(other.vault_id, vat)).toBe('VAT_OUT_OF_SCOPE');
    const stranger = accountContext();
    const theirs = await newVault(stranger);
    expect(await openSession(theirs.vault_id, vat, 'read', stranger)).toBe('VAT_OUT_OF_SCOPE');
  });

  it('VAT-05 OPEN-50: is refused with 403 for 30 days after its expiry, without its wrap, and then unknown', async () => {
    const { vault_id, vat } = await unsealed({ ttl_seconds: 60 });
    const row = () =>
      platform.sql<{ wrapped_key: Buffer | null }>(
        `SELECT wrapped_key FROM vault_sessions WHERE lookup = $1`,
        [lookupOf(vat)],
      );
    const forgetting = platform.service.context.get(ForgetTokens);
    await forgetting.run();
    expect((await row())[0]?.wrapped_key).toHaveLength(129);
    await age(vat, '60 seconds');
    expect(await openSession(vault_id, vat)).toBe('VAT_EXPIRED');
    await seal(vault_id);
    await age(vat, '29 days 23 hours');
    await forgetting.run();
    expect(await row()).toEqual([{ wrapped_key: null }]);
    expect(await openSession(vault_id, vat)).toBe('VAT_EXPIRED');
    await age(vat, '1 hour');
    await forgetting.run();
    expect(await openSession(vault_id, vat)).toBe('AUTHENTICATION_ERROR');
  });

  it('VAT-05: expires exactly at expires_at by the clock of the database', async () => {
    const { vat, issued_at, expires_at } = await unsealed({ ttl_seconds: 1 });
    const [row] = await platform.sql<{ from: string; to: string }>(
      `SELECT extract(epoch FROM issued_at)::float AS from, extract(epoch FROM expires_at)::float AS to
         FROM vault_sessions WHERE lookup = $1`,
      [lookupOf(vat)],
    );
    expect(row).toEqual({ from: issued_at, to: expires_at });
  });

  it('VAT-09: stays valid when the vault is unsealed again', async () => {
    const { vault_id, vat, vmk } = await unsealed();
    const { vat: second } = await unseal(vault_id, { vmk });
    for (const token of [vat, second]) expect(await openSession(vault_id, token)).toBe('none');
  });

  it('VAT-08: does not write when it is read-only', async () => {
    const { vault_id, vat } = await unsealed();
    await platform.sql(`UPDATE vault_sessions SET access_level = 'read' WHERE lookup = $1`, [lookupOf(vat)]);
    expect(await openSession(vault_id, vat, 'write')).toBe('VAT_READ_ONLY');
  });
});

describe('VLT-26 VAT-03: a row that was changed in the database fails to open the vault', () => {
  it.each([
    ['another access level', `access_level = 'read'`],
    ['a later expiry', `expires_at = expires_at + interval '1 microsecond'`],
    ['another time of issue', `issued_at = issued_at - interval '1 microsecond'`],
    ['another id', `id = 'vts_other'`],
    ['another wrap', `wrapped_key = set_byte(wrapped_key, 100, 255 - get_byte(wrapped_key, 100))`],
  ])('%s', async (_, change) => {
    const { vault_id, vat } = await unsealed();
    expect(await openSession(vault_id, vat, 'read')).toBe('none');
    await platform.sql(`UPDATE vault_sessions SET ${change} WHERE lookup = $1`, [lookupOf(vat)]);
    expect(await openSession(vault_id, vat, 'read')).toBe('INTERNAL_ERROR');
  });

  it('with another epoch, made the current one again', async () => {
    const { vault_id, vat } = await unsealed();
    await platform.sql(`UPDATE vaults SET seal_epoch = 7 WHERE id = $1`, [vault_id]);
    expect(await openSession(vault_id, vat, 'read')).toBe('AUTHENTICATION_ERROR');
    await platform.sql(`UPDATE vault_sessions SET seal_epoch = 7 WHERE lookup = $1`, [lookupOf(vat)]);
    expect(await openSession(vault_id, vat, 'read')).toBe('INTERNAL_ERROR');
  });

  it('with another vault, for tokens and for the master key', async () => {
    const [{ vault_id, vat, vmk }, other] = [await unsealed(), await newVault()];
    await platform.sql(`UPDATE vault_sessions SET vault_id = $2 WHERE lookup = $1`, [
      lookupOf(vat),
      other.vault_id,
    ]);
    expect(await openSession(other.vault_id, vat, 'read')).toBe('INTERNAL_ERROR');
    await platform.sql(
      `UPDATE vault_keys SET wrapped_key = (SELECT wrapped_key FROM vault_keys WHERE vault_id = $1) WHERE vault_id = $2`,
      [vault_id, other.vault_id],
    );
    expect(await reasonOf(unseal(other.vault_id, { vmk }))).toBe('VAULT_KEY_WRONG');
  });
});

describe('sealing', () => {
  it('VLT-22 VAT-12: ends every token with its commit, and succeeds again when nothing is open', async () => {
    const { vault_id, vat, vmk } = await unsealed();
    const { vat: second } = await unseal(vault_id, { vmk });
    await seal(vault_id);
    for (const token of [vat, second])
      expect(await openSession(vault_id, token)).toBe('AUTHENTICATION_ERROR');
    await seal(vault_id);
    const { vat: third } = await unseal(vault_id, { vmk });
    expect(await openSession(vault_id, third)).toBe('none');
  });

  it('VLT-22: invalidates rows that are later restored from a backup', async () => {
    const { vault_id, vat } = await unsealed();
    const kept = await platform.sql<{ row: string }>(
      `SELECT to_jsonb(s)::text AS row FROM vault_sessions s WHERE lookup = $1`,
      [lookupOf(vat)],
    );
    await seal(vault_id);
    await platform.sql(
      `INSERT INTO vault_sessions SELECT * FROM jsonb_populate_record(NULL::vault_sessions, $1::jsonb)`,
      [kept[0]?.row],
    );
    expect(await openSession(vault_id, vat)).toBe('AUTHENTICATION_ERROR');
    expect((await read(vault_id)).status).toBe('sealed');
  });

  it('VLT-07 VLT-10 VAT-10: shows the vault as unsealed while a token is valid, and always as sealed in lists', async () => {
    const { vault_id, vmk } = await newVault();
    const status = async () => (await read(vault_id)).status;
    const listed = async () =>
      (await platform.call(listVaults, { query: { limit: 500 } }, caller)).vaults.find(
        (vault) => vault.vault_id === vault_id,
      )?.status;
    expect(await status()).toBe('sealed');
    const { vat } = await unseal(vault_id, { vmk, ttl_seconds: 60 });
    expect([await status(), await listed()]).toEqual(['unsealed', 'sealed']);
    await age(vat, '60 seconds');
    expect(await status()).toBe('sealed');
    await unseal(vault_id, { vmk });
    expect(await status()).toBe('unsealed');
    await seal(vault_id);
    expect([await status(), await listed()]).toEqual(['sealed', 'sealed']);
  });

  it('VLT-22: ends tokens of twenty concurrent unsealings that were issued before it, and none that were issued after it', async () => {
    const { vault_id, vmk } = await newVault();
    const opening = Array.from({ length: 20 }, () => unseal(vault_id, { vmk }));
    const [answers] = await Promise.all([Promise.all(opening), seal(vault_id)]);
    const alive = await platform.sql<{ seal_epoch: number }>(
      `SELECT s.seal_epoch FROM vault_sessions s WHERE vault_id = $1`,
      [vault_id],
    );
    expect(alive.every((session) => session.seal_epoch === 1)).toBe(true);
    const reasons = await Promise.all(answers.map(({ vat }) => openSession(vault_id, vat)));
    expect(reasons.filter((reason) => reason === 'none')).toHaveLength(alive.length);
    await seal(vault_id);
    for (const { vat } of answers) expect(await openSession(vault_id, vat)).toBe('AUTHENTICATION_ERROR');
  });
});
