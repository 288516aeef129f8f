import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext, AccountCredential, Role, Seat } from '@vaultsvc/contracts';
import { removeUser } from '@vaultsvc/contracts/auth';
import {
  createDvak,
  listDvaks,
  readVault,
  revokeDvak,
  type CreatedVault,
  type DvakQuery,
  type NewDvak,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, MintedToken, mintToken, parseToken } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintSession, newAccount, type TestAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { unwrapByVmk, wrapByDvak } from '../keys/vault-key.js';
import { usePlatform } from '../testing/platform.js';
import { DvakRepository } from './dvak.repository.js';
import { issueDvak } from './issue-dvak.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let authService: RunningService;
let account: TestAccount;
let admin: AccountContext;
let key: AccountContext;
let vault: CreatedVault;

beforeAll(async () => {
  authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
  account = await newAccount(authService);
  admin = person('owner');
  key = accountContext({ accountId: account.accountId });
  vault = await platform.newVault(admin);
});

function person(role: Role, seat: Seat = 'full', rest: Partial<AccountCredential> = {}): AccountContext {
  const { accountId, userId } = account;
  return accountContext({ kind: 'session', accountId, userId, role, seat, ...rest });
}
const somebodyElse = () => person('admin', 'full', { userId: newId('usr_') });

/** An integration that the user of `admin` has installed: it acts with their credential, for a person of its provider. */
const integration = () =>
  person('member', 'full', { actor: { kind: 'app', id: 'crma', app: 'crma', portal: '1', person: '101' } });

const nhi = { dvak_type: 'nhi', nhi_description: 'backup robot' } as const;
const create = (body: object, context = admin, { vault_id, vmk } = vault) =>
  platform.call(createDvak, { params: { vault_id }, body: { vmk, ...body } as Partial<NewDvak> }, context);
const forUser = (body: object = {}) => create({ authorized_user_id: account.userId, ...body });
const list = (query: Partial<DvakQuery> = {}, { vault_id } = vault, context = admin) =>
  platform.call(listDvaks, { params: { vault_id }, query }, context);
const revoke = (last4: string, { vault_id } = vault, context = admin) =>
  platform.call(revokeDvak, { params: { vault_id, last4 } }, context);
const unseal = (dvak_token: string, context = admin, { vault_id } = vault) =>
  platform.unseal(vault_id, { dvak_token }, context);
const openSession = (vat: string, level: 'read' | 'write' = 'read', context = admin, { vault_id } = vault) =>
  reasonOf(platform.openSession(vault_id, vat, level, context));
const lookupOf = (token: string) => lookupHash('dvak', parseToken('dvak', token) as Buffer);

describe('creating a delegated key', () => {
  it('DVK-07 DVK-08: returns the key once, with its holder and its last four letters', async () => {
    const answer = await forUser();
    expect(answer).toEqual({
      dvak_token: expect.stringMatching(/^dvak_[0-9A-Za-z]{49}$/),
      dvak_type: 'user',
      authorized_user_id: account.userId,
      authorized_user_email: account.email,
      nhi_description: null,
      access_level: 'read_write',
      last_4_chars: answer.dvak_token.slice(-4),
      created_at: expect.any(Number),
      warning: expect.stringContaining('not shown again'),
    });
    expect(await create({ ...nhi, access_level: 'read' })).toMatchObject({
      dvak_type: 'nhi',
      authorized_user_id: null,
      authorized_user_email: null,
      nhi_description: 'backup robot',
      access_level: 'read',
    });
  });

  it('DVK-01: is allowed for admins and owners, as are listing and revoking', async () => {
    const member = person('member');
    const refused = [create(nhi, member), list({}, vault, member), revoke('xxxx', vault, member)];
    for (const reason of await Promise.all(refused.map(reasonOf))) expect(reason).toBe('ROLE_REQUIRED');
    for (const context of [person('admin'), key]) expect(await reasonOf(create(nhi, context))).toBe('none');
  });

  it('DVK-02: requires the master key of this vault; a delegated key is refused', async () => {
    const other = await platform.newVault(admin);
    const { dvak_token } = await create(nhi);
    for (const vmk of [other.vmk, mintToken('vmk').text, dvak_token, 'hunter2'])
      expect(await reasonOf(create({ ...nhi, vmk }))).toBe('VAULT_KEY_WRONG');
    for (const vmk of [undefined, null, 7])
      expect(await reasonOf(create({ ...nhi, vmk }))).toBe('VALIDATION_ERROR');
  });

  it('DVK-03: accepts the types user and program, by default user', async () => {
    expect(await forUser({})).toMatchObject({ dvak_type: 'user' });
    for (const dvak_type of ['system', 'robot', null])
      expect(await reasonOf(create({ ...nhi, dvak_type }))).toBe('VALIDATION_ERROR');
  });

  it('DVK-04 DVK-05: requires a user of the account, or a description of the program', async () => {
    const stranger = await newAccount(authService);
    for (const authorized_user_id of [undefined, null, newId('usr_'), stranger.userId, 'me'])
      expect(await reasonOf(create({ authorized_user_id }))).toBe('VALIDATION_ERROR');
    for (const nhi_description of [undefined, null, '', ' '])
      expect(await reasonOf(create({ dvak_type: 'nhi', nhi_description }))).toBe('VALIDATION_ERROR');
  });

  it('DVK-06: accepts the levels read and read_write, by default read_write', async () => {
    expect(await create({ ...nhi })).toMatchObject({ access_level: 'read_write' });
    for (const access_level of ['write', 'admin', null])
      expect(await reasonOf(create({ ...nhi, access_level }))).toBe('VALIDATION_ERROR');
  });

  it('DVK-09 AUTH-35 AMB-18: limits the level to read when the caller has a viewer seat', async () => {
    const viewer = person('admin', 'viewer');
    const granted = await create({ ...nhi, access_level: 'read_write' }, viewer);
    expect(granted.access_level).toBe('read');
    const { vat } = await unseal(granted.dvak_token);
    expect(await openSession(vat, 'write')).toBe('VAT_READ_ONLY');
    expect((await list()).dvaks[0]).toMatchObject({ access_level: 'read' });
  });

  it('DVK-17: gives every key of a vault, revoked ones included, different last four letters', async () => {
    const repository = platform.service.context.get(DvakRepository);
    const database = platform.service.context.get(Database);
    const tokenEnding = (last4: string) => {
      const { text, bytes } = mintToken('dvak');
      return new MintedToken(text.slice(0, -4) + last4, bytes);
    };
    const rowOf = (token: MintedToken) => ({
      vaultId: vault.vault_id,
      accountId: account.accountId,
      terms: { dvakId: newId('dvk_'), dvakType: 'nhi', authorizedUserId: null, accessLevel: 'read' } as const,
      authorizedUserEmail: null,
      nhiDescription: 'x',
      last4: token.text.slice(-4),
      lookup: lookupHash('dvak', token.bytes),
      wrappedKey: Buffer.alloc(129),
    });
    const issue = (...endings: string[]) =>
      database.transaction((tx) =>
        issueDvak(
          async (token) => (await repository.insert(tx, rowOf(token))) && token.text.slice(-4),
          () => tokenEnding(endings.shift() ?? 'none'),
        ),
      );
    expect(await issue('same')).toBe('same');
    await revoke('same');
    expect(await issue('same', 'same', 'last')).toBe('last');
    await expect(issue(...Array.from({ length: 16 }, () => 'same'))).rejects.toThrow('16 draws');
  });
});

describe('listing delegated keys', () => {
  it('DVK-10 DVK-11 AMB-03: returns pages of 1 to 100, newest first, with a cursor that is null at the end, and no count', async () => {
    const own = await platform.newVault(admin);
    const made = [];
    for (let i = 0; i < 5; i += 1) made.push((await create(nhi, admin, own)).last_4_chars);
    for (const query of [{ limit: 0 }, { limit: 101 }, { status: 'x' as 'active' }])
      expect(await reasonOf(list(query, own))).toBe('VALIDATION_ERROR');
    const first = await list({ limit: 3 }, own);
    expect(Object.keys(first).toSorted()).toEqual(['cursor', 'dvaks', 'has_more']);
    const second = await list({ limit: 3, cursor: first.cursor as string }, own);
    expect(Object.keys(second).toSorted()).toEqual(['cursor', 'dvaks', 'has_more']);
    expect(second.cursor).toBeNull();
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect([...first.dvaks, ...second.dvaks].map((dvak) => dvak.last_4_chars)).toEqual(made.toReversed());
  });

  it('DVK-12 DVK-13: shows no key itself, and the purpose of system keys', async () => {
    const own = await platform.newVault(admin);
    const { last_4_chars, created_at } = await create(nhi, admin, own);
    await platform.sql(
      `INSERT INTO dvaks (id, vault_id, account_id, dvak_type, system_purpose, access_level, last4, lookup, wrapped_key)
       VALUES ($1, $2, $3, 'system', 'sharing', 'read', 'sys1', $4, $4)`,
      [newId('dvk_'), own.vault_id, account.accountId, Buffer.from(newId('dvk_'))],
    );
    const [system, program] = (await list({}, own)).dvaks;
    expect(program).toEqual({
      dvak_type: 'nhi',
      authorized_user_id: null,
      authorized_user_email: null,
      nhi_description: 'backup robot',
      system_purpose: null,
      access_level: 'read_write',
      last_4_chars,
      status: 'active',
      created_at,
      last_used_at: null,
      use_count: 0,
    });
    expect(system).toMatchObject({ dvak_type: 'system', system_purpose: 'sharing' });
  });

  it('DVK-10: filters by status', async () => {
    const own = await platform.newVault(admin);
    const [gone, kept] = [await create(nhi, admin, own), await create(nhi, admin, own)];
    await revoke(gone.last_4_chars, own);
    const endings = async (status: 'active' | 'revoked') =>
      (await list({ status }, own)).dvaks.map((dvak) => dvak.last_4_chars);
    expect(await endings('active')).toEqual([kept.last_4_chars]);
    expect(await endings('revoked')).toEqual([gone.last_4_chars]);
  });

  it('ENV-41: answers 404 for a vault of another account', async () => {
    const stranger = accountContext();
    const refused = [list({}, vault, stranger), create(nhi, stranger), revoke('xxxx', vault, stranger)];
    for (const reason of await Promise.all(refused.map(reasonOf))) expect(reason).toBe('VAULT_NOT_FOUND');
  });
});

describe('unsealing with a delegated key', () => {
  it('VLT-14 VAT-07: returns a token with the level of the key, in either field', async () => {
    const { dvak_token } = await create({ ...nhi, access_level: 'read' });
    const byVmkField = await platform.unseal(vault.vault_id, { vmk: dvak_token }, admin);
    for (const { vat } of [await unseal(dvak_token), byVmkField]) {
      expect(await openSession(vat, 'read')).toBe('none');
      expect(await openSession(vat, 'write')).toBe('VAT_READ_ONLY');
    }
    const { vat } = await unseal((await create(nhi)).dvak_token);
    expect(await openSession(vat, 'write')).toBe('none');
  });

  it('DVK-16: is counted, and published with the id of the key', async () => {
    const own = await platform.newVault(admin);
    const { dvak_token } = await create(nhi, admin, own);
    await unseal(dvak_token, admin, own);
    const { issued_at } = await unseal(dvak_token, admin, own);
    const [dvak] = (await list({}, own)).dvaks;
    expect(dvak).toMatchObject({ use_count: 2 });
    expect(Math.abs((dvak?.last_used_at ?? 0) - issued_at)).toBeLessThan(5);
    const published = await platform.sql<{ name: string; id: string }>(
      `SELECT name, payload->>'dvak_id' AS id FROM recorded_events WHERE payload->>'vault_id' = $1 AND name LIKE '%dvak%' ORDER BY seq`,
      [own.vault_id],
    );
    expect(published.map(({ name }) => name)).toEqual([
      'vaults.dvak-created',
      'vaults.dvak-used',
      'vaults.dvak-used',
    ]);
    expect(new Set(published.map(({ id }) => id)).size).toBe(1);
  });

  it('VLT-19 DVK-15 AMB-21: works for its user only, and so do the tokens that it mints', async () => {
    const { dvak_token } = await forUser();
    for (const context of [somebodyElse(), key])
      for (const body of [{ dvak_token }, { vmk: dvak_token }])
        expect(await reasonOf(platform.unseal(vault.vault_id, body, context))).toBe('DVAK_OF_ANOTHER_USER');
    const { vat } = await unseal(dvak_token);
    expect(await openSession(vat)).toBe('none');
    for (const context of [somebodyElse(), key])
      expect(await openSession(vat, 'read', context)).toBe('VAT_OUT_OF_SCOPE');
  });

  it('AMB-21: works for no integration that its user has installed, and neither do its tokens', async () => {
    const { dvak_token } = await forUser();
    for (const body of [{ dvak_token }, { vmk: dvak_token }])
      expect(await reasonOf(platform.unseal(vault.vault_id, body, integration()))).toBe(
        'DVAK_OF_ANOTHER_USER',
      );
    const { vat } = await unseal(dvak_token);
    expect(await openSession(vat, 'read', integration())).toBe('VAT_OUT_OF_SCOPE');
  });

  it('AMB-21: works for every caller of the account with a key of a program, and so do its tokens', async () => {
    const { dvak_token } = await create(nhi);
    for (const context of [key, somebodyElse(), person('member'), integration()]) {
      const { vat } = await unseal(dvak_token, context);
      expect(await openSession(vat, 'write', context)).toBe('none');
    }
  });

  it('VLT-18 VLT-20 AMB-21: answers 412 for a key of another vault and 401 for one of another account, in either field', async () => {
    const { dvak_token } = await create(nhi);
    const other = await platform.newVault(admin);
    const stranger = accountContext();
    const theirs = await platform.newVault(stranger);
    for (const body of [{ dvak_token }, { vmk: dvak_token }]) {
      expect(await reasonOf(platform.unseal(other.vault_id, body, admin))).toBe('VAULT_KEY_WRONG');
      expect(await reasonOf(platform.unseal(theirs.vault_id, body, stranger))).toBe('DVAK_INVALID');
    }
    expect(
      (await platform.call(readVault, { params: { vault_id: other.vault_id } }, admin)).unseal_count,
    ).toBe(0);
  });

  it('DVK-13 VLT-18: answers 401 for a system key, which is of no caller', async () => {
    const { dvak_token } = await create(nhi);
    await platform.sql(
      `UPDATE dvaks SET dvak_type = 'system', system_purpose = 'messaging' WHERE lookup = $1`,
      [lookupOf(dvak_token)],
    );
    for (const body of [{ dvak_token }, { vmk: dvak_token }])
      expect(await reasonOf(platform.unseal(vault.vault_id, body, admin))).toBe('DVAK_INVALID');
  });

  it('DVK-14: reads and writes with a legacy key, which has no level; no new key is a legacy key', async () => {
    const token = mintToken('dvak');
    const identity = { vaultId: vault.vault_id, accountId: account.accountId };
    const terms = { dvakId: newId('dvk_'), dvakType: 'nhi', authorizedUserId: null, accessLevel: null };
    const [row] = await platform.sql<{ wrapped_key: Buffer }>(
      `SELECT wrapped_key FROM vault_keys WHERE vault_id = $1`,
      [vault.vault_id],
    );
    const vaultKey = unwrapByVmk(
      parseToken('vmk', vault.vmk) as Buffer,
      identity,
      row?.wrapped_key as Buffer,
    );
    const seed = (created_at: string) =>
      platform.sql(
        `INSERT INTO dvaks (id, vault_id, account_id, dvak_type, last4, lookup, wrapped_key, created_at)
         VALUES ($1, $2, $3, 'nhi', $4, $5, $6, $7)`,
        [
          terms.dvakId,
          vault.vault_id,
          account.accountId,
          token.text.slice(-4),
          lookupHash('dvak', token.bytes),
          wrapByDvak(token.bytes, identity, terms, vaultKey),
          created_at,
        ],
      );
    await expect(seed('2026-11-21')).rejects.toThrow('legacy_has_no_level');
    await seed('2025-06-01');
    const { vat } = await unseal(token.text);
    expect(await openSession(vat, 'write')).toBe('none');
    expect((await list({ limit: 100 })).dvaks.find((dvak) => dvak.access_level === null)).toMatchObject({
      last_4_chars: token.text.slice(-4),
    });
  });
});

describe('DVK-15 VLT-26: a row of a key that was changed in the database fails to open the vault', () => {
  it.each([
    ['another level', `access_level = 'read_write'`],
    ['another type and user', `dvak_type = 'user', authorized_user_id = '$user'`],
    ['another id', `id = 'dvk_other'`],
    ['another vault', `vault_id = '$vault'`],
  ])('%s', async (_, change) => {
    const { dvak_token } = await create({ ...nhi, access_level: 'read' });
    const other = await platform.newVault(admin);
    const set = change.replace('$vault', other.vault_id).replace('$user', account.userId);
    await platform.sql(`UPDATE dvaks SET ${set} WHERE lookup = $1`, [lookupOf(dvak_token)]);
    const home = set.startsWith('vault_id') ? other : vault;
    expect(await reasonOf(unseal(dvak_token, admin, home))).toBe('INTERNAL_ERROR');
  });

  it('with another user', async () => {
    const { dvak_token } = await forUser();
    const thief = somebodyElse();
    await platform.sql(`UPDATE dvaks SET authorized_user_id = $2 WHERE lookup = $1`, [
      lookupOf(dvak_token),
      thief.credential.userId,
    ]);
    expect(await reasonOf(unseal(dvak_token, thief))).toBe('INTERNAL_ERROR');
  });

  it('with another user of a token', async () => {
    const { vat } = await unseal((await forUser()).dvak_token);
    const thief = somebodyElse();
    await platform.sql(`UPDATE vault_sessions SET authorized_user_id = $2 WHERE lookup = $1`, [
      lookupHash('vat', parseToken('vat', vat) as Buffer),
      thief.credential.userId,
    ]);
    expect(await openSession(vat, 'read', thief)).toBe('INTERNAL_ERROR');
  });
});

describe('revoking a delegated key', () => {
  it('DVK-17 DVK-19 VAT-11 ENV-22: ends the key and its tokens at once, and no others, and deletes its wrap', async () => {
    const [gone, kept] = [await create(nhi), await create(nhi)];
    const vats = [(await unseal(gone.dvak_token)).vat, (await unseal(gone.dvak_token)).vat];
    const others = [
      (await unseal(kept.dvak_token)).vat,
      (await platform.unseal(vault.vault_id, { vmk: vault.vmk }, admin)).vat,
    ];
    expect(await revoke(gone.last_4_chars)).toEqual({
      last_4_chars: gone.last_4_chars,
      status: 'revoked',
      revoked_at: expect.any(Number),
    });
    for (const vat of vats) expect(await openSession(vat)).toBe('AUTHENTICATION_ERROR');
    for (const vat of others) expect(await openSession(vat)).toBe('none');
    expect(await reasonOf(unseal(gone.dvak_token))).toBe('DVAK_INVALID');
    expect(await reasonOf(platform.unseal(vault.vault_id, { vmk: gone.dvak_token }, admin))).toBe(
      'DVAK_INVALID',
    );
    expect(
      await platform.sql(`SELECT wrapped_key FROM dvaks WHERE lookup = $1`, [lookupOf(gone.dvak_token)]),
    ).toEqual([{ wrapped_key: null }]);
  });

  it('DVK-19: fails an unsealing that found the key before its revocation', async () => {
    const { dvak_token, last_4_chars } = await create(nhi);
    const repository = platform.service.context.get(DvakRepository);
    const found = await repository.findActive(lookupOf(dvak_token), account.accountId);
    await revoke(last_4_chars);
    const database = platform.service.context.get(Database);
    const used = database.transaction((tx) => repository.use(tx, found?.terms.dvakId as string));
    expect(await reasonOf(used)).toBe('DVAK_INVALID');
  });

  it('VAT-05 DVK-19: leaves tokens that have expired, which are still answered with 403', async () => {
    const { dvak_token, last_4_chars } = await create(nhi);
    const { vat } = await unseal(dvak_token);
    await platform.sql(
      `UPDATE vault_sessions SET issued_at = issued_at - interval '2 h', expires_at = expires_at - interval '2 h' WHERE lookup = $1`,
      [lookupHash('vat', parseToken('vat', vat) as Buffer)],
    );
    await revoke(last_4_chars);
    expect(await openSession(vat)).toBe('VAT_EXPIRED');
  });

  it('DVK-18: answers 400 for a revoked key and for other than four characters, and 404 for an unknown key', async () => {
    const { last_4_chars } = await create(nhi);
    await revoke(last_4_chars);
    expect(await reasonOf(revoke(last_4_chars))).toBe('DVAK_REVOKED');
    for (const last4 of ['abc', 'abcde', '', 'x'.repeat(5_000)])
      expect(await reasonOf(revoke(last4))).toBe('VALIDATION_ERROR');
    for (const last4 of ['0000', 'a\0bc', 'äöüß', '😀😀😀😀'])
      expect(await reasonOf(revoke(last4))).toBe('DVAK_NOT_FOUND');
    expect(await reasonOf(revoke((await create(nhi)).last_4_chars, await platform.newVault(admin)))).toBe(
      'DVAK_NOT_FOUND',
    );
  });

  it('DVK-19: leaves no valid token of twenty concurrent unsealings', async () => {
    const { dvak_token, last_4_chars } = await create(nhi);
    const opening = Array.from({ length: 20 }, () =>
      unseal(dvak_token).then(
        ({ vat }) => vat,
        () => undefined,
      ),
    );
    const [vats] = await Promise.all([Promise.all(opening), revoke(last_4_chars)]);
    for (const vat of vats.filter((given) => given !== undefined))
      expect(await openSession(vat)).toBe('AUTHENTICATION_ERROR');
    expect(
      await platform.sql(
        `SELECT 1 FROM vault_sessions s JOIN dvaks d ON d.id = s.dvak_id WHERE d.lookup = $1`,
        [lookupOf(dvak_token)],
      ),
    ).toEqual([]);
  });

  it('DVK-18: succeeds once of ten concurrent calls, with one event', async () => {
    const { dvak_token, last_4_chars } = await create(nhi);
    const reasons = await Promise.all(Array.from({ length: 10 }, () => reasonOf(revoke(last_4_chars))));
    expect(reasons.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'DVAK_REVOKED'), 'none']);
    const published = await platform.sql(
      `SELECT 1 FROM recorded_events WHERE name = 'vaults.dvak-revoked'
          AND payload->>'dvak_id' = (SELECT id FROM dvaks WHERE lookup = $1)`,
      [lookupOf(dvak_token)],
    );
    expect(published).toHaveLength(1);
  });

  it('DVK-15: revokes the keys of a removed user in every vault of the account, and no others, with one event each', async () => {
    const leaver = await newAccount(authService);
    const context = accountContext({ accountId: leaver.accountId });
    const them = accountContext({
      kind: 'session',
      accountId: leaver.accountId,
      userId: leaver.userId,
      role: 'owner',
    });
    const vaults = [await platform.newVault(context), await platform.newVault(context)];
    const theirs = [];
    for (const own of vaults) {
      const { dvak_token } = await create({ authorized_user_id: leaver.userId }, context, own);
      theirs.push({ own, dvak_token, vat: (await unseal(dvak_token, them, own)).vat });
    }
    const program = await create(nhi, context, vaults[0]);
    const stayer = await mintSession(authService, { accountId: leaver.accountId, role: 'owner' });
    const owner = accountContext({ ...them.credential, userId: stayer.subject });
    await platform.harness.bus.call(removeUser, { params: { user_id: leaver.userId } }, owner);
    for (const { own, dvak_token, vat } of theirs) {
      await eventually(
        () => reasonOf(unseal(dvak_token, them, own)),
        (reason) => reason === 'DVAK_INVALID',
      );
      expect(await openSession(vat, 'read', them, own)).toBe('AUTHENTICATION_ERROR');
    }
    const published = await platform.sql<{ vault_id: string }>(
      `SELECT payload->>'vault_id' AS vault_id FROM recorded_events WHERE name = 'vaults.dvak-revoked' AND account_id = $1`,
      [leaver.accountId],
    );
    expect(published.map(({ vault_id }) => vault_id).toSorted()).toEqual(
      vaults.map(({ vault_id }) => vault_id).toSorted(),
    );
    expect(await reasonOf(unseal(program.dvak_token, context, vaults[0]))).toBe('none');
    expect((await list({ status: 'revoked' }, vaults[1], context)).dvaks).toHaveLength(1);
  });
});
