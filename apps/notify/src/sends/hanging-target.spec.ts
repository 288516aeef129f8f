import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { NotifyConfiguration, putConfig, type DeliveryReport } from '@vaultsvc/contracts/notify';
import { eventually } from '@vaultsvc/testing/waiting';
import { cut, ProviderServer, reply, type Respond } from '../testing/provider-server.js';
import { useSendPlatform } from '../testing/send-platform.js';

const hang: Respond = () => {};

const platform = useSendPlatform();
let hanging: ProviderServer;
let answering: ProviderServer;
beforeAll(async () => {
  [hanging, answering] = await Promise.all([ProviderServer.start(hang), ProviderServer.start()]);
});
afterAll(() => Promise.all([hanging.stop(), answering.stop()]));

async function callerWith(channel: 'webhook' | 'slack' | 'teams', url: string): Promise<AccountContext> {
  const caller = await platform.newCaller();
  const body = Object.assign(new NotifyConfiguration(), { targets: { [channel]: { url } } });
  await platform.harness.bus.call(putConfig, { body }, caller);
  return caller;
}

const people = (count: number) => Array.from({ length: count }, (_, index) => `person-${index}`);

const deliveriesOf = async (sendId: string, caller: AccountContext): Promise<DeliveryReport[]> =>
  (await platform.report(sendId, caller)).recipient_states.flatMap(({ deliveries }) => deliveries);

describe.each([
  ['webhook', 5],
  ['slack', 2],
  ['teams', 2],
] as const)('NTF-30 N3: behind 100 messages to %s that nobody answers', (channel, quarter) => {
  it('the message of another account is the next one', async () => {
    const [busy, other] = await Promise.all([
      callerWith(channel, hanging.origin),
      callerWith(channel, answering.origin),
    ]);
    const before = { hanging: hanging.received.length, answering: answering.received.length };
    await platform.send({ recipients: people(100), channels: [channel] }, busy);
    await eventually(
      () => hanging.received.length - before.hanging,
      (count) => count >= quarter,
    );
    await platform.send({ channels: [channel] }, other);
    await eventually(
      () => answering.received.length - before.answering,
      (count) => count === 1,
    );
    expect(hanging.received.length - before.hanging).toBeLessThanOrEqual(10);
  });
});

describe('NTF-43 N3: a target that cannot be reached', () => {
  it('keeps messages waiting without using an attempt, and gets all of them once it answers', async () => {
    const target = await ProviderServer.start(cut);
    const caller = await callerWith('webhook', target.origin);
    const { send_id } = await platform.send({ recipients: people(30), channels: ['webhook'] }, caller);
    const held = await eventually(
      () => deliveriesOf(send_id, caller),
      (deliveries) =>
        deliveries.filter(({ state, attempts }) => state === 'scheduled' && attempts === 0).length >= 22,
    );
    expect(held.filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(8);
    target.respond = reply(204);
    await eventually(
      () => deliveriesOf(send_id, caller),
      (deliveries) => deliveries.every(({ state }) => state === 'sent'),
      90,
    );
    await target.stop();
  });
});
