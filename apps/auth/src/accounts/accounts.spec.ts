import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@vaultsvc/config';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { AuthConfig } from '../config.js';
import { auth } from '../service-definition.js';
import { AccountRepository } from './account.repository.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);
let database: Database;

beforeAll(async () => {
  database = service.context.get(Database);
});

const owner = (email: string) => ({ email, role: 'owner', seat: 'full', status: 'active' }) as const;

function signUp(email: string): Promise<string> {
  const accounts = service.context.get(AccountRepository);
  return database.transaction(async (tx) => {
    const accountId = await accounts.createAccount(tx, `of ${email}`);
    await accounts.addUser(tx, accountId, owner(email));
    return accountId;
  });
}

describe('an account with its owner', () => {
  it('is created once when ten sign-ups use one address concurrently, and the failed ones leave nothing behind', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => signUp('one@example.test')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'EMAIL_TAKEN' });
    const accounts = await database.query(
      statement('test.accounts', `SELECT 1 FROM accounts WHERE organization_name = 'of one@example.test'`),
    );
    expect(accounts).toHaveLength(1);
  });

  it('is recorded in events for account and user, with ids only', async () => {
    const { accountId, userId } = await newAccount(service);
    const events = await outboxEvents(service, { account_id: accountId }, { columns: ['name', 'payload'] });
    expect(events).toEqual([
      { name: 'auth.account-created', payload: { account_id: accountId } },
      { name: 'auth.user-added', payload: { account_id: accountId, user_id: userId } },
    ]);
  });

  it('has sessions of its own users only: the database rejects any other', async () => {
    const [one, other] = [await newAccount(service), await newAccount(service)];
    const open = statement(
      'test.foreign-family',
      `INSERT INTO families (session_type, account_id, user_id, delivery, secret, mac_key_id, expires_at)
       VALUES ('full', $1, $2, 'body', decode(repeat('00', 32), 'hex'), '202611', now() + interval '1 h')`,
    );
    await expect(database.query(open, [one.accountId, other.userId])).rejects.toMatchObject({
      code: '23503',
    });
    await expect(database.query(open, [null, null])).rejects.toMatchObject({ code: '23514' });
  });
});

describe('MISC-01: ACCOUNT_SHARDS', () => {
  const problemsOf = async (settings: Record<string, string>): Promise<string> => {
    const environment = { ...(await harness.environment('auth')), ...settings };
    try {
      loadConfig(AuthConfig, environment);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are the shards of new accounts, each as likely as any other', async () => {
    const spread = await harness.start(auth, { SHARDS: '0,3,7', ACCOUNT_SHARDS: '0,7' });
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => (await newAccount(spread)).accountId),
    );
    // Forty accounts of one shard alone come once in 2^39 runs.
    expect(new Set(ids.map((id) => id.slice('acc_'.length + 22)))).toEqual(new Set(['', '07']));
    await spread.stop();
  });

  it('are among SHARDS, or the accounts would never work', async () => {
    expect(await problemsOf({ SHARDS: '0,1', ACCOUNT_SHARDS: '1' })).toBe('');
    expect(await problemsOf({ SHARDS: '0,1', ACCOUNT_SHARDS: '0,11' })).toMatch(
      /ACCOUNT_SHARDS must be among SHARDS/,
    );
    expect(await problemsOf({ ACCOUNT_SHARDS: '0,0' })).toMatch(/ACCOUNT_SHARDS must name each shard once/);
  });

  it('are 0 while a release that does not know longer ids may run', async () => {
    expect(await problemsOf({ OLDEST_RELEASE: '0.1' })).toBe('');
    expect(await problemsOf({ SHARDS: '0,1', OLDEST_RELEASE: '0.1' })).toMatch(
      /SHARDS may name other shards than 0 only once OLDEST_RELEASE is 0.2/,
    );
  });
});
