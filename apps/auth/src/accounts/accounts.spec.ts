import { beforeAll, describe, expect, it } from '@jest/globals';
import { isEmail } from '@vaultsvc/contracts';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { AccountRepository } from './account.repository.js';
import { emailKey } from '../names/email-key.js';

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

describe('isEmail', () => {
  it.each(['a@b.test', "o'hara+tag@sub.example.test", 'ü@exämple.test'])('accepts %s', (text) =>
    expect(isEmail(text)).toBe(true),
  );

  it.each([
    '',
    'a',
    'a@b',
    '@b.test',
    'a@.',
    'a b@c.test',
    'a@b@c.test',
    'a@b.test\n',
    'a\u0000@b.test',
    '\u202ea@b.test',
    `${'a'.repeat(65)}@b.test`,
  ])('rejects %j', (text) => expect(isEmail(text)).toBe(false));
});

describe('emailKey', () => {
  it('OPEN-59: is the same for all spellings of an address that reach one mailbox', () => {
    const key = emailKey('ann@exämple.test');
    for (const same of [
      'Ann@EXÄMPLE.test',
      'ann@xn--exmple-cua.test',
      'ann@exa\u0308mple.test',
      'ann@exämple.test.',
    ])
      expect(emailKey(same)).toBe(key);
    expect(emailKey('ann@example.test')).not.toBe(key);
  });

  it('ignores case and width of characters', () => {
    expect(emailKey('Ａnn@Example.TEST')).toBe(emailKey('ann@example.test'));
    expect(emailKey('a.nn@example.test')).not.toBe(emailKey('ann@example.test'));
  });
});
