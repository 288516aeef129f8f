import { describe, expect, it } from '@jest/globals';
import type { Event } from '@vaultsvc/contracts';
import { bytesDiscarded, bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import { versionActivated, versionDropped, versionOpened, versionReleased } from '@vaultsvc/contracts/vaults';
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
import { OnEvents } from '../events/on-events.consumer.js';
import { usePlatform, type Sums } from '../testing/platform.js';

const platform = usePlatform({ STORAGE_POOL_BYTES: '100000', BANDWIDTH_POOL_BYTES: '100000' });

/** An ingot of a new account, and the possible events of its versions. */
function newIngot(accountId = newId('acc_')) {
  const ingot = { account_id: accountId, vault_id: newId('vlt_'), ingot_id: newId('ing_') };
  return {
    accountId,
    ...ingot,
    version: (size_bytes: number) => {
      const ref = { ...ingot, version_id: newId('ver_') };
      const fact = { ...ref, size_bytes };
      return {
        id: ref.version_id,
        opened: [versionOpened, fact] as Fact,
        finalized: [uploadFinalized, fact] as Fact,
        activated: [versionActivated, fact] as Fact,
        /** For an upload shorter than announced. */
        activatedAs: (bytes: number): Fact => [versionActivated, { ...ref, size_bytes: bytes }],
        dropped: [versionDropped, ref] as Fact,
        released: (reason: 'replaced' | 'deleted'): Fact => [versionReleased, { ...fact, reason }],
        ended: (received_bytes: number): Fact => [
          uploadEnded,
          { ...ref, received_bytes, reason: 'cancelled' },
        ],
        discarded: (bytes: number): Fact => [bytesDiscarded, { ...ref, bytes }],
        sent: (bytes: number): Fact => [bytesSent, { ...ref, bytes, downloads: 1 }],
      };
    },
  };
}

const publish = (...facts: readonly Fact[]) =>
  platform.publish(...facts.map(([event, payload]) => [event, payload] as [Event, object]));

/** In this order. */
const deliver = (...facts: readonly Fact[]) => send(platform, ...facts.map((fact) => deliveryOf(fact)));

const settled = (accountId: string, wished: Partial<Sums>) =>
  eventually(
    () => platform.sums(accountId),
    (sums) => Object.entries(wished).every(([name, value]) => sums[name] === value),
  );
const lines = (accountId: string) => linesOf(platform, accountId);

describe('OPEN-58 RPT-31: the usage of an ingot', () => {
  it('is its reservation while its upload is open, and its content afterwards', async () => {
    const { accountId, version } = newIngot();
    const { id, opened, finalized, activatedAs } = version(500);
    await platform.reserve(accountId, id, 500);
    await publish(opened);
    await platform.waitForStatus(id, 'confirmed');
    expect(await platform.sums(accountId)).toEqual(exactly(0, 500, 0));
    await publish(activatedAs(300), [finalized[0], { ...finalized[1], size_bytes: 300 }]);
    await settled(accountId, exactly(300, 0, 300));
    await platform.waitForSnapshot(
      accountId,
      ({ storage, bandwidth }) => storage.used === 300 && bandwidth.used === 300,
    );
  });

  it('OPEN-29: writes a ledger line per event, with ingot and vault', async () => {
    const { accountId, version, ingot_id, vault_id } = newIngot();
    const [first, second, third] = [version(100), version(200), version(50)];
    await publish(first.opened, first.finalized, first.activated, first.sent(70));
    await publish(second.opened, second.finalized, second.activated, first.released('replaced'));
    await publish(third.opened, third.ended(20), third.dropped, second.released('deleted'));
    // Separate consumers apply bandwidth and storage, so the sums may be right before any storage is booked.
    const booked = await eventually(
      () => lines(accountId),
      ({ length }) => length === 8,
    );
    await settled(accountId, exactly(0, 0, 390));
    const line = (type: string, resource: string, quantity: number) => ({
      type,
      resource,
      quantity,
      unit: 'bytes',
      reference_id: ingot_id,
      vault_id,
      actor_type: 'system',
    });
    expect(booked).toEqual([
      line('ingot_delete', 'storage', -200),
      line('ingot_download', 'bandwidth', 70),
      line('ingot_replace', 'storage', -100),
      line('ingot_upload', 'bandwidth', expect.any(Number) as unknown as number),
      line('ingot_upload', 'bandwidth', expect.any(Number) as unknown as number),
      line('ingot_upload', 'storage', expect.any(Number) as unknown as number),
      line('ingot_upload', 'storage', expect.any(Number) as unknown as number),
      line('ingot_upload_partial', 'bandwidth', 20),
    ]);
  });

  it('FRG-16: is the transferred bandwidth and no reservation after an upload ends early', async () => {
    const { accountId, version } = newIngot();
    const { id, opened, ended, dropped } = version(500);
    await platform.reserve(accountId, id, 500);
    await publish(opened, ended(104), dropped);
    await settled(accountId, exactly(0, 0, 104));
  });

  it('FRG-16: includes the bandwidth of chunks that were received and not stored', async () => {
    const { accountId, version } = newIngot();
    const { opened, finalized, activated, discarded } = version(500);
    await publish(opened, discarded(30), discarded(7), finalized, activated);
    await settled(accountId, exactly(500, 0, 537));
    const partial = (await lines(accountId)).filter(({ type }) => type === 'ingot_upload_partial');
    expect(partial.map(({ resource, quantity }) => [resource, quantity]).toSorted()).toEqual([
      ['bandwidth', 30],
      ['bandwidth', 7],
    ]);
  });

  it('FRG-16: writes no line for transfers of 0 bytes', async () => {
    const { accountId, version } = newIngot();
    const { opened, ended, dropped, sent } = version(500);
    await publish(opened, ended(0), sent(0), dropped, version(1).finalized);
    await settled(accountId, { bandwidth: 1 });
    expect(await lines(accountId)).toHaveLength(1);
  });

  it('AMB-16: includes a replacement and the replaced content until the upload is complete', async () => {
    const { accountId, version } = newIngot();
    const [first, second] = [version(400), version(600)];
    await publish(first.opened, first.finalized, first.activated, second.opened);
    await settled(accountId, exactly(400, 600, 400));
    await publish(second.finalized, second.activated, first.released('replaced'));
    await settled(accountId, exactly(600, 0, 1000));
  });

  it('ING-02: is exact for sizes beyond 32 bits', async () => {
    const { accountId, version } = newIngot();
    const { opened, activated, finalized } = version(5_497_558_138_880);
    await publish(opened);
    await settled(accountId, exactly(0, 5_497_558_138_880, 0));
    await publish(activated, finalized);
    await settled(accountId, exactly(5_497_558_138_880, 0, 5_497_558_138_880));
  });
});

describe('OPEN-58: pools and ledger are exact', () => {
  /** Events of an ingot, and the resulting sums of its account. */
  const scenarios: readonly (readonly [
    name: string,
    (ingot: ReturnType<typeof newIngot>) => [string, Fact[], Sums],
  ])[] = [
    [
      'uploaded, downloaded and deleted',
      ({ version }) => {
        const { id, opened, finalized, activated, sent, released } = version(9);
        return [id, [opened, finalized, activated, sent(4), released('deleted')], exactly(0, 0, 13)];
      },
    ],
    [
      'opened and cancelled',
      ({ version }) => {
        const { id, opened, ended, dropped } = version(9);
        return [id, [opened, ended(5), dropped], exactly(0, 0, 5)];
      },
    ],
    [
      'uploaded, with another upload open',
      ({ version }) => {
        const [first, second] = [version(9), version(20)];
        return [first.id, [first.opened, first.activated, first.finalized, second.opened], exactly(9, 20, 9)];
      },
    ],
    [
      'replaced after a superseded upload',
      ({ version }) => {
        const [first, second, third] = [version(9), version(20), version(40)];
        const facts = [
          first.activated,
          second.opened,
          second.dropped,
          third.activated,
          first.released('replaced'),
        ];
        return [third.id, facts, exactly(40, 0, 0)];
      },
    ],
  ];

  /** Every order of the events, each with a new account. Every second account has a held reservation. */
  const everyOrder = async (live: (typeof scenarios)[number][1]) => {
    const orders = permutations([...live(newIngot())[1].keys()]);
    return Promise.all(
      orders.map(async (order, i) => {
        const ingot = newIngot();
        const [id, facts, sums] = live(ingot);
        if (i % 2 === 0) await platform.reserve(ingot.accountId, id, sizeOf(id, facts));
        return { accountId: ingot.accountId, facts: order.map((at) => facts[at] as Fact), sums };
      }),
    );
  };

  it.each(scenarios)('for an ingot %s, in every order, on two instances', async (_, live) => {
    const made = await everyOrder(live);
    for (const { facts } of made) await deliver(...facts);
    for (const { accountId, sums } of made) expect(await settled(accountId, sums)).toEqual(sums);
  });

  it.each(scenarios)(
    'for an ingot %s, in every order, each event in a separate transaction',
    async (_, live) => {
      const made = await everyOrder(live);
      await fiveAtATime(made, async ({ accountId, facts, sums }) => {
        for (const fact of facts) await apply(fact);
        expect(await platform.sums(accountId)).toEqual(sums);
      });
    },
  );

  it('despite redeliveries, in one batch, in several, and to the other instance', async () => {
    const { accountId, version } = newIngot();
    const { opened, finalized, activated, sent, released } = version(9);
    const deliveries = [opened, finalized, activated, sent(4), released('deleted'), version(30).opened].map(
      (fact) => deliveryOf(fact),
    );
    for (let round = 0; round < 20; round++) await send(platform, ...deliveries);
    await eventually(
      () =>
        processed(
          platform,
          deliveries.map(({ id }) => id),
        ),
      (count) => count === deliveries.length,
    );
    await send(platform, ...[...deliveries].reverse());
    const marker = version(1).opened;
    await deliver(marker);
    await settled(accountId, exactly(0, 31, 13));
    expect(await lines(accountId)).toHaveLength(4);
  });

  it('for a thousand concurrent versions of twenty accounts', async () => {
    const ingots = Array.from({ length: 20 }, () => newIngot());
    for (let n = 0; n < 50; n++) {
      for (const { accountId, version } of ingots) {
        const { id, opened, finalized, activated, released, ended, dropped } = version(1 + n);
        if (n % 3 === 0) void platform.reserve(accountId, id, 1 + n).catch(() => undefined);
        if (n % 5 === 0) await deliver(dropped, opened, ended(1));
        else await deliver(released('replaced'), activated, opened, finalized);
      }
    }
    const whole = Array.from({ length: 50 }, (_, n) => n).filter((n) => n % 5 !== 0);
    const moved = whole.reduce((sum, n) => sum + n + 1, 0) + 10;
    for (const { accountId } of ingots) await settled(accountId, exactly(0, 0, moved));
  });
});

/** The size of a version according to its events. */
function sizeOf(id: string, facts: readonly Fact[]): number {
  const payloads = facts.map(([, payload]) => payload as { version_id: string; size_bytes?: number });
  return payloads.find(({ version_id, size_bytes }) => version_id === id && size_bytes)?.size_bytes ?? 1;
}

/** Applies an event as the service does in a batch of one. */
async function apply(fact: Fact): Promise<void> {
  const { context } = platform.service;
  await context.get(Database).transaction((tx) => context.get(OnEvents).record([deliveryOf(fact)], tx));
}
