import { describe, expect, it } from '@jest/globals';
import type { Event } from '@vaultsvc/contracts';
import {
  structuredCreated,
  structuredDeleted,
  structuredOverwritten,
  structuredRemoved,
  structuredUpdated,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { eventually } from '@vaultsvc/testing/waiting';
import {
  deliveryOf,
  exactly,
  fiveAtATime,
  linesOf,
  permutations,
  processed,
  send,
  type Fact,
} from '../testing/deliveries.js';
import { usePlatform, type Sums } from '../testing/platform.js';
import { OnEvents } from '../events/on-events.consumer.js';

const platform = usePlatform({ STORAGE_POOL_BYTES: '100000', BANDWIDTH_POOL_BYTES: '100000' });

/** A structured ingot of an account, and its possible events. */
function newStructured(accountId = newId('acc_')) {
  const removal = { account_id: accountId, vault_id: newId('vlt_'), ingot_id: newId('ing_') };
  const action = { ...removal, actor_type: 'session', actor_id: newId('usr_') };
  const change = (event: Event) => (stored_bytes: number, written_bytes: number) =>
    [event, { ...action, version: 1, key_count: 1, stored_bytes, written_bytes }] as Fact;
  return {
    ...removal,
    accountId,
    created: change(structuredCreated),
    overwritten: change(structuredOverwritten),
    updated: change(structuredUpdated),
    deleted: (size_bytes: number): Fact => [structuredDeleted, { ...action, size_bytes }],
    removed: (size_bytes: number): Fact => [structuredRemoved, { ...removal, size_bytes }],
  };
}
type Structured = ReturnType<typeof newStructured>;

const publish = (...facts: readonly Fact[]) =>
  platform.publish(...facts.map(([event, payload]) => [event, payload] as [Event, object]));
const settled = (accountId: string, wished: Sums) =>
  eventually(
    () => platform.sums(accountId),
    (sums) => Object.entries(wished).every(([name, value]) => sums[name] === value),
  );

/** Creates 500 bytes, overwrites them with 200, sets 150 of which 50 replace 30, deletes 70, then deletes the ingot. */
const eventsOfLifetime = (ingot: Structured, end: 'deleted' | 'removed') => [
  ingot.created(500, 500),
  ingot.overwritten(-300, 200),
  ingot.updated(120, 150),
  ingot.updated(-70, 0),
  ingot[end](250),
];

describe('OPEN-58 RPT-31 STR-06 STR-15 STR-17: the usage of a structured ingot', () => {
  it('is the storage of its values and the bandwidth of written bytes, as the snapshot shows', async () => {
    const { accountId, created, overwritten } = newStructured();
    await publish(created(500, 500), overwritten(-300, 200));
    await settled(accountId, exactly(200, 0, 700));
    await platform.waitForSnapshot(
      accountId,
      ({ storage, bandwidth }) => storage.used === 200 && bandwidth.used === 700,
    );
  });

  it('OPEN-29: writes a line of storage and one of bandwidth per change, with ingot, vault and actor', async () => {
    const ingot = newStructured();
    await publish(ingot.created(500, 500), ingot.updated(-70, 20), ingot.removed(430));
    await settled(ingot.accountId, exactly(0, 0, 520));
    const line = (type: string, resource: string, quantity: number, actor_type = 'user') => ({
      type,
      resource,
      quantity,
      unit: 'bytes',
      reference_id: ingot.ingot_id,
      vault_id: ingot.vault_id,
      actor_type,
    });
    expect(await linesOf(platform, ingot.accountId)).toEqual([
      line('structured_delete', 'storage', -430, 'system'),
      line('structured_write', 'bandwidth', 20),
      line('structured_write', 'bandwidth', 500),
      line('structured_write', 'storage', -70),
      line('structured_write', 'storage', 500),
    ]);
  });

  it('writes no line for 0 bytes', async () => {
    const { accountId, created, updated, deleted, removed } = newStructured();
    await publish(created(0, 0), updated(0, 40), updated(0, 0), deleted(0), removed(0), updated(7, 0));
    await settled(accountId, exactly(7, 0, 40));
    expect(await linesOf(platform, accountId)).toHaveLength(2);
  });

  it.each(['deleted', 'removed'] as const)(
    'is exactly 0 bytes of storage after creates, overwrites and patches, once it is %s',
    async (end) => {
      const accountId = newId('acc_');
      const lives = Array.from({ length: 20 }, () => eventsOfLifetime(newStructured(accountId), end));
      await publish(...lives.flat());
      await settled(accountId, exactly(0, 0, 20 * 850));
    },
  );
});

describe('OPEN-58: pools and ledger are exact', () => {
  it('in every order, each event in a separate transaction', async () => {
    const orders = permutations([0, 1, 2, 3, 4]);
    const consumer = platform.service.context.get(OnEvents);
    const database = platform.service.context.get(Database);
    const inOrder = async (order: readonly number[]) => {
      const ingot = newStructured();
      const facts = eventsOfLifetime(ingot, 'deleted');
      for (const at of order)
        await database.transaction((tx) => consumer.record([deliveryOf(facts[at] as Fact)], tx));
      return platform.sums(ingot.accountId);
    };
    for (const sums of await fiveAtATime(orders, inOrder)) expect(sums).toEqual(exactly(0, 0, 850));
  });

  it('despite redeliveries, in one batch, in several, and to the other instance', async () => {
    const ingot = newStructured();
    const deliveries = eventsOfLifetime(ingot, 'removed').map((fact) => deliveryOf(fact));
    for (let round = 0; round < 20; round++) await send(platform, ...deliveries);
    const ids = deliveries.map(({ id }) => id);
    await eventually(
      () => processed(platform, ids),
      (count) => count === ids.length,
    );
    await send(platform, ...[...deliveries].reverse(), deliveryOf(ingot.created(3, 4)));
    await settled(ingot.accountId, exactly(3, 0, 854));
    expect(await linesOf(platform, ingot.accountId)).toHaveLength(10);
  });
});
