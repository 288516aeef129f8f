import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource } from '@vaultsvc/database';
import { startHarness, undoThrough, type Harness } from '@vaultsvc/testing/harness';
import { asOwner } from '@vaultsvc/tools-testing/service-process';
import { storage } from '../storage.js';
import { AcceptInvitations1765100000000 } from './1765100000000-accept-invitations.js';

let harness: Harness;
let source: ReturnType<typeof createMigrationSource>;
beforeAll(async () => {
  harness = await startHarness();
  const config = loadConfig(StatefulConfig, asOwner(await harness.environment('auth')));
  source = await createMigrationSource(config, storage).initialize();
});
afterAll(async () => {
  await source.destroy();
  await harness.stop();
});

const rows = (text: string) => source.query<Record<string, unknown>[]>(text);
const shape = async () => [
  ...(await rows(
    `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
      WHERE table_schema = current_schema() ORDER BY 1, 2`,
  )),
  ...(await rows(`SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`)),
];
/** Back to the first release with sign-in. */
const undo = () => undoThrough(source, AcceptInvitations1765100000000.name);

/** An account in which the owner is expected, a person is invited, and another one has 120 sessions; and a claimed domain. */
const former = [
  `INSERT INTO accounts (id, organization_name) VALUES ('acc_1', 'Former')`,
  `INSERT INTO users (id, account_id, email, email_key, role, seat, status) VALUES
     ('usr_owner', 'acc_1', 'o@x.test', 'o@x.test', 'owner', 'full', 'invited'),
     ('usr_invited', 'acc_1', 'i@x.test', 'i@x.test', 'member', 'full', 'invited'),
     ('usr_active', 'acc_1', 'A@x.test', 'a@x.test', 'member', 'full', 'active')`,
  `INSERT INTO api_keys (id, account_id, created_by, name, lookup, preview)
     VALUES ('key_1', 'acc_1', 'usr_owner', 'First key', sha256('x'), 'x')`,
  `INSERT INTO families (session_type, account_id, user_id, delivery, secret, mac_key_id, created_at, expires_at)
   SELECT 'full', 'acc_1', 'usr_active', 'body', sha256('x'), 'k', now() - n * interval '1 s', now() + interval '1 day'
     FROM generate_series(1, 120) AS n`,
  `INSERT INTO domains (domain, account_id) VALUES ('x.test', 'acc_1')`,
];

describe('the migrations since the first sign-in', () => {
  it('OPEN-59 OPEN-62: keep users, invitations, sessions and claims of earlier releases, also after a rollback', async () => {
    await source.runMigrations();
    const whole = await shape();
    await undo();
    const before = await shape();
    for (const text of former) await rows(text);
    await source.runMigrations();
    expect(await shape()).toEqual(whole);
    expect(
      await rows(
        `SELECT id, joins_at_sign_in, invitation_expires_at > now() + interval '13 days' AS open FROM users ORDER BY id`,
      ),
    ).toEqual([
      { id: 'usr_active', joins_at_sign_in: false, open: true },
      { id: 'usr_invited', joins_at_sign_in: false, open: true },
      { id: 'usr_owner', joins_at_sign_in: true, open: true },
    ]);
    expect(
      await rows(
        `SELECT count(*)::int AS live, min(created_at) > now() - interval '101 s' AS newest FROM families WHERE revoked_at IS NULL`,
      ),
    ).toEqual([{ live: 100, newest: true }]);
    expect(
      await rows(
        `SELECT next_check_at BETWEEN now() - interval '1 min' AND now() + interval '7 days' AS spread FROM domains`,
      ),
    ).toEqual([{ spread: true }]);
    // A second organization invites the active user's address and the invited one; both end with a rollback.
    await rows(`INSERT INTO accounts (id, organization_name) VALUES ('acc_2', 'Second')`);
    await rows(
      `INSERT INTO users (id, account_id, email, email_key, role, seat, status, created_at) VALUES
         ('usr_2', 'acc_2', 'a@x.test', 'a@x.test', 'member', 'full', 'invited', now() - interval '1 day'),
         ('usr_3', 'acc_2', 'i@x.test', 'i@x.test', 'member', 'full', 'invited', now() + interval '1 day')`,
    );
    await undo();
    expect(await shape()).toEqual(before);
    expect(await rows(`SELECT id, status FROM users ORDER BY id`)).toEqual([
      { id: 'usr_2', status: 'removed' },
      { id: 'usr_3', status: 'removed' },
      { id: 'usr_active', status: 'active' },
      { id: 'usr_invited', status: 'invited' },
      { id: 'usr_owner', status: 'invited' },
    ]);
  });
});
