import { beforeAll, describe, expect, it } from '@jest/globals';
import { grantsRecalled } from '@vaultsvc/contracts/notify';
import type { NewGrant } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import {
  accountContext,
  lockWaiters,
  outboxEvents,
  publishFrom,
  reasonOf,
  stopSchedule,
} from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { until } from '@vaultsvc/testing/waiting';
import { grantFor, grantsOf } from '../../testing/grants.js';
import { PurgeLinkPolicies } from '../../visit/admission/purge-link-policies.job.js';
import { notifyPublisher } from '../../testing/notify-publisher.js';
import { usePlatform } from '../../testing/platform.js';
import { GrantRecallRepository } from './grant-recall.repository.js';

const caller = accountContext();
// The statement timeout exceeds the caller's deadline, so that the statement still waits for the lock after it.
const platform = usePlatform({ LOG_LEVEL: 'silent' });
let grants: ReturnType<typeof grantsOf>;
beforeAll(async () => {
  await stopSchedule(platform.service);
  grants = grantsOf(platform, caller);
});

const recalledOf = (recalled: readonly NewGrant[], of = caller) => ({
  account_id: of.credential.accountId,
  link_ids: recalled.map(({ link_id }) => link_id),
  spark_ids: recalled.map(({ spark_id }) => spark_id),
});
/** Applies the event as the consumer does. */
const recall = (recalled: readonly NewGrant[], of = caller) => {
  const { context } = platform.service;
  return context
    .get(Database)
    .transaction((tx) => context.get(GrantRecallRepository).recall(tx, recalledOf(recalled, of), null));
};
const sparksOf = async (asked: readonly NewGrant[]) =>
  (
    await platform.sql(`SELECT 1 FROM sparks WHERE id = ANY($1::text[])`, [
      asked.map(({ spark_id }) => spark_id),
    ])
  ).length;
const eventsOf = async ({ spark_id }: NewGrant) =>
  [
    ...(await outboxEvents(platform.service, { spark_id })),
    ...(await outboxEvents(platform.service, { asset_id: spark_id })),
  ]
    .map(({ name }) => name)
    .sort();
const MINTED = ['sparks.created', 'sparks.sparklink-created'];
const RECALLED = ['sparks.created', 'sparks.deleted', 'sparks.sparklink-created', 'sparks.sparklink-revoked'];

describe('recalled grants', () => {
  it('NTF-29: are revoked and their Sparks deleted on the event', async () => {
    const minted = await grants.minted([null, null]);
    const publisher = await platform.harness.start(notifyPublisher, { LOG_LEVEL: 'silent' });
    await publishFrom(publisher, [grantsRecalled, recalledOf(minted)]);
    await until(async () => (await grants.statusOf(minted[0])) === 'revoked');
    for (const grant of minted) {
      expect(await grants.statusOf(grant)).toBe('revoked');
      expect(await reasonOf(grants.visits.open(grant.code))).toBe('LINK_REVOKED');
    }
    expect(await sparksOf(minted)).toBe(0);
  });

  it('NTF-29: are revoked once, however often the event is applied', async () => {
    const [grant] = await grants.minted([null]);
    await Promise.all([recall([grant]), recall([grant])]);
    await recall([grant]);
    expect(await eventsOf(grant)).toEqual(RECALLED);
  });

  it('NTF-29: stay opened when they were opened before, and their action can still be redeemed', async () => {
    const [grant] = await grants.minted([null]);
    const { interaction } = await grants.visits.open(grant.code);
    await recall([grant]);
    expect(await grants.statusOf(grant)).toBe('consumed');
    const token = interaction?.interaction_token as string;
    expect(await grants.redeem(grant.code, token)).toMatchObject({ link_id: grant.link_id });
  });

  it('NTF-29: stay as they are when another account names them, and beside malformed ids', async () => {
    const [grant, own] = await grants.minted([null, null]);
    await recall([grant], accountContext());
    expect(await grants.statusOf(grant)).toBe('active');
    await recall([{ link_id: 'x', spark_id: 'y', identity: null }, own as NewGrant]);
    expect(await grants.statusOf(own as NewGrant)).toBe('revoked');
    expect(await grants.visits.open(grant.code)).toMatchObject({ payload: 'for you' });
  });

  it('NTF-29: are deleted during a read, whose reader then gets nothing', async () => {
    const [grant] = await grants.minted([null]);
    const reader = await platform.service.context.get(Database).connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM sparklinks WHERE id = $1 FOR UPDATE', [grant.link_id]);
    const opened = reasonOf(grants.visits.open(grant.code));
    await until(async () => (await lockWaiters(platform.service)) === 1);
    const recalled = recall([grant]);
    await until(async () => (await lockWaiters(platform.service)) === 2);
    await reader.query(`UPDATE sparklinks SET visibility = 'authenticated' WHERE id = $1`, [grant.link_id]);
    await reader.query('COMMIT');
    reader.release();
    await recalled;
    expect(await opened).not.toBe('none');
    expect([await sparksOf([grant]), await grants.statusOf(grant)]).toEqual([0, 'revoked']);
  });
});

describe('grants that are recalled before they are minted', () => {
  it('NTF-29: are not minted, nor is any other of their batch', async () => {
    const batch = [grantFor(null), grantFor(null)] as const;
    await recall([batch[1]]);
    expect(await reasonOf(grants.mint([...batch]))).toBe('LINK_REVOKED');
    expect(await sparksOf(batch)).toBe(0);
    expect((await grants.resolve(batch.map(({ link_id }) => link_id))).size).toBe(0);
  });

  it('NTF-29: race with their minting: none stays open', () =>
    raceUntilSeen(['minted', 'LINK_REVOKED'], 30, async (together) => {
      const batch = Array.from({ length: 5 }, () => grantFor(null));
      const [outcome] = await together(
        () =>
          grants.mint(batch).then(
            () => 'minted',
            (error: { reason: string }) => error.reason,
          ),
        () => recall([...batch].reverse()),
      );
      expect(await sparksOf(batch)).toBe(0);
      const states = [...(await grants.resolve(batch.map(({ link_id }) => link_id))).values()];
      expect(states.map(({ status }) => status)).toEqual(
        outcome === 'minted' ? batch.map(() => 'revoked') : [],
      );
      return outcome;
    }));

  it('NTF-29: race with their opening: each is either opened or revoked', () =>
    raceUntilSeen(['content', 'LINK_REVOKED'], 30, async (together) => {
      const [grant] = await grants.minted([null]);
      const [outcome] = await together(
        () =>
          grants.visits.open(grant.code).then(
            ({ type }) => type,
            (error: { reason: string }) => error.reason,
          ),
        () => recall([grant]),
      );
      expect(await grants.statusOf(grant)).toBe(outcome === 'content' ? 'consumed' : 'revoked');
      if (outcome !== 'content') expect(await sparksOf([grant])).toBe(0);
      return outcome;
    }));
});

describe('a batch of grants that waits for a lock in the database', () => {
  it('NTF-29: is recalled when it was stored after the deadline of its caller', async () => {
    const late = grantFor(null);
    const connection = await platform.service.context.get(Database).connect();
    await connection.query('BEGIN');
    await connection.query('LOCK TABLE sparks IN SHARE MODE');
    const minted = reasonOf(grants.mint([late], {}, 3));
    await until(async () => (await lockWaiters(platform.service)) > 0);
    expect(await minted).toBe('INTERNAL_ERROR');
    expect(await eventsOf(late)).not.toEqual(MINTED);
    await connection.query('COMMIT');
    connection.release();
    await until(async () => (await eventsOf(late)).length === RECALLED.length);
    expect(await eventsOf(late)).toEqual(RECALLED);
    expect(await grants.statusOf(late)).toBe('revoked');
  });
});

describe('the policy of a grant', () => {
  it('OPEN-64: is kept until the interaction token of its last second has expired, then deleted', async () => {
    const [grant, ended] = (await grants.minted([null, null])) as unknown as [NewGrant, NewGrant];
    const policies = () =>
      platform.sql<{ link_id: string }>(
        `SELECT link_id, purge_at >= (SELECT expires_at FROM sparklinks WHERE id = link_id) + interval '24 hours' AS is_kept
           FROM link_policies WHERE link_id = ANY($1::uuid[])`,
        [[grant.link_id, ended.link_id]],
      );
    expect(await policies()).toMatchObject([{ is_kept: true }, { is_kept: true }]);
    await platform.sql(`UPDATE link_policies SET purge_at = now() WHERE link_id = $1`, [ended.link_id]);
    await platform.service.context.get(PurgeLinkPolicies).run();
    expect(await policies()).toMatchObject([{ link_id: grant.link_id }]);
  });
});
