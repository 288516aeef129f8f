import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Event } from '@vaultsvc/contracts';
import { accountChanged, apiKeyCreated, sessionOpened } from '@vaultsvc/contracts/auth';
import { sparkCreated, sparklinkDeleted, sparklinkUpdated, sparkRead } from '@vaultsvc/contracts/sparks';
import { dvakCreated, ingotCreated, vaultCreated, vaultDeleted } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { bodyHash, entryHash, FIRST_PREV_HASH, type JsonObject } from '@vaultsvc/transparency';
import { expectNumberSetting } from '@vaultsvc/testing/fixtures';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { OnEvents } from '../events/on-events.consumer.js';
import { AuditLogConfig } from '../settings/audit-log-config.js';
import { deliveryOf, permutations, type Fact } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';
import { EraseDeletedVaults } from './erase-deleted-vaults.job.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

interface Row extends Record<string, unknown> {
  readonly seq: number;
  readonly event_type: string;
  readonly at: number;
  readonly body: string | null;
  readonly salt: Buffer | null;
  readonly body_hash: Buffer;
  readonly hash: Buffer;
}

const actor = { actor_type: 'api_key', actor_id: newId('key_') } as const;
const fact = <P extends object>(event: Event<P>, payload: NoInfer<P>): Fact => [event, payload];

/** A vault of an account: of a new one, unless it is named. */
function newAccount(account_id = newId('acc_')) {
  const vault_id = newId('vlt_');
  const ofVault = { account_id, vault_id, ...actor };
  return {
    account_id,
    vault_id,
    created: () => fact(sparkCreated, { spark_id: newId('spk_'), account_id, size_bytes: 5, ...actor }),
    vault: () => fact(vaultCreated, ofVault),
    dvak: () => fact(dvakCreated, { ...ofVault, dvak_id: newId('dvk_') }),
    ingot: (ingot_id = newId('ing_')) => fact(ingotCreated, { ...ofVault, ingot_id }),
    deleted: () => fact(vaultDeleted, ofVault),
  };
}

/** Records events as the consumer does, in one transaction of one instance. */
async function record(facts: readonly Fact[], instance = platform.service): Promise<void> {
  const consumer = instance.context.get(OnEvents);
  await instance.context.get(Database).transaction((tx) => consumer.record(facts.map(deliveryOf), tx));
}

const chainOf = (accountId: string) =>
  platform.sql<Row>(
    `SELECT seq, event_type, (extract(epoch FROM occurred_at) * 1000)::bigint AS at, body, salt, body_hash, hash
       FROM audit_entries WHERE account_id = $1 ORDER BY seq`,
    [accountId],
  );

/** Fails unless each entry follows from its body and from the entry before it. */
function verify(account: string, rows: readonly Row[]): void {
  let previous = FIRST_PREV_HASH;
  for (const [index, { seq, at, event_type: type, body, salt, body_hash, hash }] of rows.entries()) {
    expect(seq).toBe(index + 1);
    if (body !== null && salt !== null)
      expect(bodyHash(salt, JSON.parse(body) as JsonObject)).toEqual(body_hash);
    expect(entryHash(previous, { account, seq, at, type }, body_hash)).toEqual(hash);
    previous = hash;
  }
}

/** A statement of the role of the running service. */
const asService = (text: string) =>
  platform.service.context.get(Database).dataSource.query<{ may?: string }[]>(text);

const bodyOf = ({ body }: Row) => JSON.parse(body ?? 'null') as Record<string, unknown>;

describe('AUD-14: the chain of an account', () => {
  it('has an entry for each audited event, in the order of their arrival, and verifies', async () => {
    const { account_id, vault_id, created, vault, ingot, dvak } = newAccount();
    await record([created(), vault()]);
    await record([ingot('ing_1'), dvak()]);
    const rows = await chainOf(account_id);
    expect(rows.map(({ event_type }) => event_type)).toEqual([
      'spark_created',
      'vault_created',
      'ingot_created',
      'dvak_created',
    ]);
    verify(account_id, rows);
    expect(bodyOf(rows[2] as Row)).toMatchObject({
      actor_type: 'api_key',
      actor_id: actor.actor_id,
      details: { vault_id, ingot_id: 'ing_1' },
    });
  });

  it('has no gap and no fork while both instances record events of the same accounts at once', async () => {
    const accounts = [newAccount(), newAccount(), newAccount()];
    const batches = Array.from({ length: 24 }, (_, n) =>
      record(
        accounts.flatMap(({ created, ingot }) => (n % 3 ? [created()] : [ingot(), created()])),
        platform.instances[n % 2],
      ),
    );
    await Promise.all(batches);
    for (const { account_id } of accounts) {
      const rows = await chainOf(account_id);
      expect(rows).toHaveLength(32);
      verify(account_id, rows);
    }
  });

  it('AUD-10: names users and API keys as actors, and nobody for visitors and jobs', async () => {
    const { account_id } = newAccount();
    const session = {
      account_id,
      user_id: 'usr_1',
      session_id: crypto.randomUUID(),
      client_ip: null,
      user_agent: null,
    };
    const reading = { spark_id: newId('spk_'), account_id, size_bytes: 1, reader_account_id: account_id };
    await record([
      fact(sessionOpened, session),
      fact(apiKeyCreated, { account_id, api_key_id: 'key_2', actor_id: 'usr_1' }),
      fact(accountChanged, { account_id, actor_id: 'key_2' }),
      fact(sparkRead, { ...reading, actor_type: 'link', actor_id: crypto.randomUUID() }),
    ]);
    const bodies = (await chainOf(account_id)).map(bodyOf);
    expect(bodies.map(({ actor_type, actor_id }) => [actor_type, actor_id])).toEqual([
      ['user', 'usr_1'],
      ['user', 'usr_1'],
      ['api_key', 'key_2'],
      [undefined, undefined],
    ]);
  });

  it('LNK-20: has two entries for a change of sharing, one of the link and one of its ingot', async () => {
    const { account_id, vault_id } = newAccount();
    const link = { account_id, link_id: crypto.randomUUID(), ...actor };
    await record([
      fact(sparklinkUpdated, { ...link, link_type: 'ingot', asset_id: 'ing_1', vault_id }),
      fact(sparklinkUpdated, { ...link, link_type: 'spark', asset_id: 'spk_1', vault_id: null }),
    ]);
    const types = (await chainOf(account_id)).map(({ event_type }) => event_type);
    expect(types).toEqual(['sparklink_updated', 'sharing_updated', 'sparklink_updated']);
  });

  it('LNK-22: does not contain the code of a link, which is kept beside it once the link has ended', async () => {
    const { account_id } = newAccount();
    const link_id = crypto.randomUUID();
    const link_code = newId('spk_');
    const ended = { account_id, link_id, link_type: 'spark', asset_id: 'spk_1', vault_id: null } as const;
    await record([fact(sparklinkDeleted, { ...ended, ...actor, link_code })]);
    expect((await chainOf(account_id))[0]?.body).not.toContain(link_code);
    const codes = await platform.sql(`SELECT code FROM audit_link_codes WHERE link_id = $1`, [link_id]);
    expect(codes).toEqual([{ code: link_code }]);
  });
});

describe('AUD-14: the heads of the chains', () => {
  it('are published every hour unless it is set, and once a day at least', () => {
    expectNumberSetting(AuditLogConfig, ['AUDIT_LOG_EVERY_SECONDS', 3_600, 1, 86_400]);
  });
});

describe('AUD-14: entries of the audit log', () => {
  it.each([
    `UPDATE audit_entries SET body = '{}' WHERE account_id = $1`,
    `UPDATE audit_entries SET hash = body_hash WHERE account_id = $1`,
    `DELETE FROM audit_entries WHERE account_id = $1`,
  ])('cannot be changed by the role of the service: %s', async (change) => {
    const { account_id, created } = newAccount();
    await record([created()]);
    await expect(asService(change.replace('$1', `'${account_id}'`))).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
    verify(account_id, await chainOf(account_id));
  });

  it.each([
    `UPDATE audit_heads SET seq = seq + 1 WHERE account_id = $1`,
    `UPDATE audit_heads SET pseudonym_salt = hash WHERE account_id = $1`,
    `DELETE FROM audit_heads WHERE account_id = $1`,
    `SELECT 1 FROM audit_heads WHERE account_id = $1 FOR UPDATE`,
    `UPDATE audit_logged_heads SET leaf = 'x' WHERE account_id = $1`,
    `DELETE FROM audit_logged_heads WHERE account_id = $1`,
    `TRUNCATE audit_heads, audit_logged_heads`,
    `UPDATE audit_checkpoints SET note = $1`,
    `DELETE FROM audit_checkpoints WHERE note = $1`,
    `UPDATE audit_log_state SET size = size - 1, origin = $1`,
    `UPDATE audit_log_state SET size = size + 1`,
    `UPDATE audit_log_state SET root = sha256('x')`,
    `DELETE FROM audit_log_state WHERE origin = $1`,
  ])('nor are the heads of chains and of the log: %s', async (change) => {
    const { account_id, created } = newAccount();
    await record([created()]);
    const before = await platform.sql(`SELECT * FROM audit_heads WHERE account_id = $1`, [account_id]);
    await expect(asService(change.replace('$1', `'${account_id}'`))).rejects.toMatchObject({ code: '42501' });
    expect(await platform.sql(`SELECT * FROM audit_heads WHERE account_id = $1`, [account_id])).toEqual(
      before,
    );
  });

  it('AUD-14: leave the role of the service INSERT and SELECT, and nothing else', async () => {
    const rights = await asService(
      `SELECT table_name || ' ' || privilege_type AS may FROM information_schema.role_table_grants
        WHERE grantee = current_user AND table_name IN ('audit_entries', 'audit_heads', 'audit_logged_heads', 'audit_checkpoints')`,
    );
    expect(rights.map(({ may }) => may).sort()).toEqual([
      'audit_checkpoints INSERT',
      'audit_checkpoints SELECT',
      'audit_entries INSERT',
      'audit_entries SELECT',
      'audit_heads INSERT',
      'audit_heads SELECT',
      'audit_logged_heads INSERT',
      'audit_logged_heads SELECT',
    ]);
  });

  it.each([
    ['behind a gap', 3],
    ['in the place of another', 1],
  ])('are refused %s of their chain, also as an insert', async (_, seq) => {
    const { account_id, created } = newAccount();
    await record([created()]);
    const insert = `INSERT INTO audit_entries (account_id, seq, event_type, occurred_at, body_hash, hash)
      VALUES ('${account_id}', ${seq}, 'spark_read', now(), 'x', 'x')`;
    await expect(asService(insert)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:42501|23505)$/),
    });
    await record([created()]);
    expect(await chainOf(account_id)).toHaveLength(2);
    verify(account_id, await chainOf(account_id));
    const heads = await platform.sql(`SELECT seq, hash FROM audit_heads WHERE account_id = $1`, [account_id]);
    const [, last] = await chainOf(account_id);
    expect(heads).toEqual([{ seq: 2, hash: last?.hash }]);
  });

  it('AUD-13: can be erased for a deleted vault only', async () => {
    const { account_id, vault_id, vault, ingot } = newAccount();
    await record([vault(), ingot()]);
    const erase = asService(`SELECT erase_audit_entries('${account_id}', '${vault_id}', 10)`);
    await expect(erase).rejects.toMatchObject({ code: '42501' });
  });
});

describe('AUD-13 VLT-24: the entries of a deleted vault', () => {
  it('are erased, those that come late included, and the chain still verifies', async () => {
    const job = platform.service.context.get(EraseDeletedVaults);
    // Every order in which events of two services may arrive.
    for (const order of permutations([0, 1, 2, 3])) {
      const { account_id, vault_id, created, vault, ingot, dvak, deleted } = newAccount();
      await record([vault(), created()]);
      const facts = [ingot(), dvak(), created(), deleted()];
      for (const at of order) {
        await record([facts[at] as Fact]);
        await job.run();
      }
      const rows = await chainOf(account_id);
      verify(account_id, rows);
      const kept = rows.filter(({ body }) => body !== null).map(({ event_type }) => event_type);
      expect(kept.sort()).toEqual(['spark_created', 'spark_created', 'vault_created', 'vault_deleted']);
      const named = await platform.sql(
        `SELECT 1 FROM audit_entries WHERE vault_id = $1 AND ingot_id IS NOT NULL`,
        [vault_id],
      );
      expect(named).toEqual([]);
      const actors = await platform.sql(
        `SELECT 1 FROM audit_entries WHERE account_id = $1 AND (actor_id IS NULL) <> (body IS NULL)`,
        [account_id],
      );
      expect(actors).toEqual([]);
    }
  });

  it('are erased with the codes of its links, and no others', async () => {
    const { account_id, vault_id, deleted } = newAccount();
    const ended = (link_code: string, vault: string | null) => {
      const link_type = vault === null ? 'spark' : 'ingot';
      const link = { account_id, link_id: crypto.randomUUID(), link_type, asset_id: 'asset_1' } as const;
      return fact(sparklinkDeleted, { ...link, ...actor, vault_id: vault, link_code });
    };
    await record([ended('own', vault_id), ended('other', newId('vlt_')), ended('spark', null), deleted()]);
    await platform.service.context.get(EraseDeletedVaults).run();
    const kept = `SELECT code FROM audit_link_codes WHERE account_id = $1 ORDER BY code`;
    expect(await platform.sql(kept, [account_id])).toEqual([{ code: 'other' }, { code: 'spark' }]);
  });

  it('are erased of each of two vaults, and an entry that comes late orders the erasure of its own alone', async () => {
    const one = newAccount();
    const { account_id } = one;
    const other = newAccount(account_id);
    await record([one.ingot(), other.ingot(), one.deleted(), other.deleted()]);
    await platform.service.context.get(EraseDeletedVaults).run();
    const kept = (await chainOf(account_id)).filter(({ body }) => body !== null);
    expect(kept.map(({ event_type }) => event_type)).toEqual(['vault_deleted', 'vault_deleted']);
    await record([other.dvak()]);
    const due = `SELECT vault_id FROM audit_erasures WHERE account_id = $1 AND erased_at IS NULL`;
    expect(await platform.sql(due, [account_id])).toEqual([{ vault_id: other.vault_id }]);
  });

  it('are erased by instances that work at the same time', async () => {
    const { account_id, vault, ingot, deleted } = newAccount();
    await record([vault(), ...Array.from({ length: 2_500 }, () => ingot()), deleted()]);
    await Promise.all(platform.instances.map(({ context }) => context.get(EraseDeletedVaults).run()));
    const rows = await chainOf(account_id);
    expect(rows.filter(({ body }) => body !== null)).toHaveLength(2);
    verify(account_id, rows);
  });
});
