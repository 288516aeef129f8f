import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createApiKey,
  describeActor,
  describeActors,
  inviteUser,
  removeUser,
  revokeApiKey,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, internalContext } from '@vaultsvc/testing/harness';
import { newAccount, type TestAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);
let own: TestAccount;
let foreign: TestAccount;

beforeAll(async () => {
  [own, foreign] = await Promise.all([newAccount(service), newAccount(service)]);
});

const owner = () => accountContext({ kind: 'session', ...own, role: 'owner' });
const label = async (kind: 'user' | 'api_key', actor_id: string, { accountId } = own) => {
  const body = { account_id: accountId, kind, actor_id };
  return (await harness.bus.call(describeActor, { body }, internalContext())).label;
};
const invite = async (email: string) => {
  const body = { email, name: 'Ivy', role: 'member', seat: 'full' } as const;
  return (await harness.bus.call(inviteUser, { body }, owner())).user_id;
};
const newKey = async () =>
  (await harness.bus.call(createApiKey, { body: { name: 'Build server' } }, owner())).api_key_id;

describe('ING-17 DVK-04: describing an actor', () => {
  it('returns the address of an active or invited user', async () => {
    const email = `${newId('user_').toLowerCase()}@example.test`;
    expect(await label('user', own.userId)).toBe(own.email);
    expect(await label('user', await invite(email))).toBe(email);
  });

  it('returns the name of an API key', async () => {
    expect(await label('api_key', await newKey())).toBe('Build server');
  });

  it('returns null once the user is removed or the key is revoked', async () => {
    const [user, key] = [await invite(`${newId('user_').toLowerCase()}@example.test`), await newKey()];
    await harness.bus.call(removeUser, { params: { user_id: user } }, owner());
    await harness.bus.call(revokeApiKey, { params: { api_key_id: key } }, owner());
    expect([await label('user', user), await label('api_key', key)]).toEqual([null, null]);
  });

  it('returns null for an actor of another account, and for a wrong kind or id', async () => {
    const key = await newKey();
    expect([await label('user', own.userId, foreign), await label('api_key', key, foreign)]).toEqual([
      null,
      null,
    ]);
    expect([await label('api_key', own.userId), await label('user', key)]).toEqual([null, null]);
    for (const id of ['', newId('usr_'), "' OR true --"]) expect(await label('user', id)).toBeNull();
  });
});

describe('ING-17 DVK-04: describing actors', () => {
  const named = async (actor_ids: string[], { accountId } = own) =>
    (
      await harness.bus.call(
        describeActors,
        { body: { account_id: accountId, actor_ids } },
        internalContext(),
      )
    ).actors;

  it('names those that were asked for, and nobody else of the account', async () => {
    const other = `${newId('user_').toLowerCase()}@example.test`;
    const [key, user] = [await newKey(), await invite(other)];
    expect(await named([own.userId])).toEqual([{ actor_id: own.userId, label: own.email }]);
    expect(await named([key])).toEqual([{ actor_id: key, label: 'Build server' }]);
    expect(await named([user, key])).toEqual(
      expect.arrayContaining([
        { actor_id: user, label: other },
        { actor_id: key, label: 'Build server' },
      ]),
    );
  });

  it('names nobody of another account', async () => {
    expect(await named([own.userId, await newKey()], foreign)).toEqual([]);
  });
});
