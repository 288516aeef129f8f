import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  NotifyConfiguration,
  putConfig,
  type DeliveryReport,
  type DeliveryState,
} from '@vaultsvc/contracts/notify';
import { eventually } from '@vaultsvc/testing/waiting';
import { FeedRepository } from '../feed/feed.repository.js';
import { MessageWaker } from '../messages/message-waker.js';
import { cut, ProviderServer, reply } from '../testing/provider-server.js';
import { useSendPlatform } from '../testing/send-platform.js';

const platform = useSendPlatform();
let endpoint: ProviderServer;
let caller: AccountContext;
beforeAll(async () => {
  endpoint = await ProviderServer.start();
  caller = await platform.newCaller();
  const body = Object.assign(new NotifyConfiguration(), { targets: { webhook: { url: endpoint.origin } } });
  await platform.harness.bus.call(putConfig, { body }, caller);
});
afterAll(() => endpoint.stop());

const deliveryOf = async (sendId: string) =>
  (await platform.report(sendId, caller)).recipient_states[0]?.deliveries[0] as DeliveryReport;

const reach = (sendId: string, state: DeliveryState) =>
  eventually(
    () => deliveryOf(sendId),
    (now) => now.state === state,
  );

/** After an attempt that has failed. */
const failedOnce = (sendId: string) =>
  eventually(
    () => deliveryOf(sendId),
    ({ state, attempts, reason }) => state === 'queued' && attempts === 1 && reason !== null,
  );

/** Lets the delay of the next attempt pass. */
async function letDelayPass({ delivery_id }: DeliveryReport): Promise<void> {
  await platform.sql(`UPDATE messages SET next_attempt_at = now() WHERE id = $1`, [delivery_id]);
  platform.notify.context.get(MessageWaker).wake();
}

const send = async () => (await platform.send({ channels: ['webhook'] }, caller)).send_id;
const idsReceived = () => endpoint.received.splice(0).map(({ headers }) => headers['webhook-id']);

describe('NTF-43 NTF-21: a delivery that a receiver throttles', () => {
  it('waits for as long as Retry-After says, and arrives under the same id', async () => {
    endpoint.respond = reply(429, '', { 'Retry-After': '120' });
    const askedMs = Date.now();
    const sendId = await send();
    const waiting = await failedOnce(sendId);
    expect(waiting.reason).toContain('429');
    const seconds = (waiting.due_at ?? 0) - askedMs / 1_000;
    expect(seconds).toBeGreaterThan(118);
    expect(seconds).toBeLessThan(180);
    endpoint.respond = reply(200);
    await letDelayPass(waiting);
    const { delivery_id } = await reach(sendId, 'sent');
    expect(idsReceived()).toEqual([delivery_id, delivery_id]);
  });

  it('is repeated under the same id when the answer was lost', async () => {
    endpoint.respond = cut;
    const sendId = await send();
    const waiting = await failedOnce(sendId);
    endpoint.respond = reply(204);
    await letDelayPass(waiting);
    const { delivery_id } = await reach(sendId, 'sent');
    expect(idsReceived()).toEqual([delivery_id, delivery_id]);
  });

  it('is not repeated when the receiver is gone, and says why', async () => {
    endpoint.respond = reply(410);
    const { delivery_id, reason } = await reach(await send(), 'failed');
    expect(reason).toContain('410');
    expect(idsReceived()).toEqual([delivery_id]);
  });
});

describe('NTF-44 NTF-21: a notification in the feed that is delivered again', () => {
  it('keeps its position and its times', async () => {
    const { send_id } = await platform.send({ channels: ['websocket'] }, caller);
    const { delivery_id } = await reach(send_id, 'sent');
    const feed = platform.notify.context.get(FeedRepository);
    const { accountId } = caller.credential;
    const position = await feed.lastPosition(accountId);
    expect(await feed.append(delivery_id)).toEqual({ accountId, position });
    expect(await feed.lastPosition(accountId)).toBe(position);
    await platform.sql(`UPDATE feed SET created_at = to_timestamp(1700000000) WHERE message_id = $1`, [
      delivery_id,
    ]);
    await platform.sql(`UPDATE sends SET expires_at = to_timestamp(1700000600) WHERE send_id = $1`, [
      send_id,
    ]);
    expect(await feed.readAfter(accountId, position - 1)).toMatchObject([
      { delivery_id, position, created_at: 1_700_000_000, expires_at: 1_700_000_600 },
    ]);
    expect(await feed.readAfter(accountId, position)).toEqual([]);
  });
});
