import { createECDH, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  NotifyConfiguration,
  putConfig,
  registerPushToken,
  type DeliveryReport,
} from '@vaultsvc/contracts/notify';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { eventually } from '@vaultsvc/testing/waiting';
import webPush from 'web-push';
import {
  cut,
  ProviderServer,
  reply,
  type ReceivedRequest,
  type Respond,
} from '../testing/provider-server.js';
import { startSendPlatform, type SendPlatform } from '../testing/send-platform.js';

/** Accepts what is for the busy account, and never answers it. */
const respond: Respond = (response, request) => {
  if (isForBusy(request)) return;
  response.writeHead(201).end('{}');
};
const isForBusy = ({ path, body }: ReceivedRequest) =>
  path.includes('/busy') || body.includes('To=%2B1415555');

/** The receivers of both accounts, and the operator's provider of calls. */
let receiver: ProviderServer;
const platform: SendPlatform = useFixture(
  async () => {
    receiver = await ProviderServer.start(respond);
    return startSendPlatform(settingsWith(receiver));
  },
  async ({ harness }) => {
    await harness.stop();
    await receiver.stop();
  },
);

function settingsWith({ origin }: ProviderServer): Record<string, string> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return {
    SMS_URL: origin.replace('//', `//AC${'0'.repeat(32)}:token@`),
    VOICE_FROM: '+14155550102',
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: 'mailto:admin@example.com',
  };
}

type Channel = 'webhook' | 'slack' | 'teams' | 'web_push' | 'voice';

/** A caller of a new account whose messages go to this path. */
async function callerAt(path: string): Promise<AccountContext> {
  const caller = await platform.newCaller();
  const url = `${receiver.origin}${path}`;
  const targets = { webhook: { url }, slack: { url }, teams: { url } };
  const body = Object.assign(new NotifyConfiguration(), { targets });
  await platform.harness.bus.call(putConfig, { body }, caller);
  return caller;
}

/** Sends to so many people, who have a browser each, or a number. */
async function send(channel: Channel, count: number, caller: AccountContext, path: string, numbers: string) {
  const recipients = Array.from({ length: count }, (_, index) => ({
    id: `person-${index}`,
    phone: `${numbers}${String(index).padStart(4, '0')}`,
  }));
  if (channel === 'web_push') for (const { id } of recipients) await register(id, caller, path);
  await platform.send({ recipients, channels: [channel] } as never, caller);
}

async function register(recipient_id: string, caller: AccountContext, path: string): Promise<void> {
  const key = createECDH('prime256v1');
  key.generateKeys();
  const keys = { p256dh: key.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
  const token = JSON.stringify({ endpoint: `${receiver.origin}${path}/${recipient_id}`, keys });
  await platform.harness.bus.call(
    registerPushToken,
    { body: { platform: 'web', token, recipient_id } },
    caller,
  );
}

const deliveriesOf = async (sendId: string, caller: AccountContext): Promise<DeliveryReport[]> =>
  (await platform.report(sendId, caller)).recipient_states.flatMap(({ deliveries }) => deliveries);

describe.each([
  ['webhook', 5],
  ['slack', 2],
  ['teams', 2],
  ['web_push', 5],
  ['voice', 1],
] as const)('NTF-30: behind 50 messages by %s that nobody answers', (channel, quarter) => {
  it('the message of another account is the next one', async () => {
    const [busy, other] = await Promise.all([callerAt('/busy'), callerAt('/other')]);
    receiver.received.length = 0;
    await send(channel, 50, busy, '/busy', '+1415555');
    const busyCount = () => receiver.received.filter(isForBusy).length;
    await eventually(busyCount, (count) => count >= quarter);
    await send(channel, 1, other, '/other', '+1650555');
    await eventually(
      () => receiver.received.length - busyCount(),
      (count) => count === 1,
    );
    expect(busyCount()).toBeLessThanOrEqual(10);
  });
});

describe('NTF-43: a target that cannot be reached', () => {
  it('keeps messages waiting without using an attempt, and gets all of them once it answers', async () => {
    const target = await ProviderServer.start(cut);
    const caller = await platform.newCaller();
    const targets = { webhook: { url: target.origin } };
    const body = Object.assign(new NotifyConfiguration(), { targets });
    await platform.harness.bus.call(putConfig, { body }, caller);
    const recipients = Array.from({ length: 30 }, (_, index) => `person-${index}`);
    const { send_id } = await platform.send({ recipients, channels: ['webhook'] }, caller);
    const isWaiting = ({ state, attempts }: DeliveryReport) => state === 'scheduled' && attempts === 0;
    await eventually(
      () => deliveriesOf(send_id, caller),
      (deliveries) => deliveries.filter(isWaiting).length >= 20,
    );
    target.respond = reply(204);
    await eventually(
      () => deliveriesOf(send_id, caller),
      (deliveries) => deliveries.every(({ state }) => state === 'sent'),
      90,
    );
    await target.stop();
  });
});
