import { createECDH, randomBytes } from 'node:crypto';
import {
  NotifyConfiguration,
  putConfig,
  registerPushToken,
  sendNotification,
} from '@vaultsvc/contracts/notify';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { startTemporaryStack } from '../../stack/temporary-stack.ts';
import { raceBudgets, signUp, type RaceStack } from './race-account.js';
import { ShareReceivers, SILENT_NUMBERS } from './share-receivers.js';

/** Of each tenant, a message by each of these channels. */
export const sharedChannels = ['webhook', 'slack', 'teams', 'web_push', 'voice', 'email'] as const;
export type SharedChannel = (typeof sharedChannels)[number];

export interface ShareRaceOptions {
  /** Recipients of each send of the busy tenant. */
  readonly recipients: number;
  /** Sends of the busy tenant by each channel. */
  readonly sends: number;
  readonly onProgress?: (line: string) => void;
}

/** What a channel did with the message of the other tenant. */
export interface ShareFigure {
  readonly channel: SharedChannel;
  /** From the call of the other tenant to the arrival of its message. */
  readonly arrivedMs: number;
  /** Messages of the busy tenant that had arrived by then. */
  readonly ahead: number;
}

const ARRIVAL_SECONDS = 120;
const REGISTRATIONS_AT_ONCE = 20;

/**
 * A busy tenant sends to receivers that accept messages and never answer, and mails to a server that does. Then another tenant
 * sends one message by each channel.
 */
export async function runShareRaces(options: ShareRaceOptions): Promise<ShareFigure[]> {
  const receivers = await ShareReceivers.start();
  const settings = { SMTP_URL: receivers.smtpUrl, SMS_URL: receivers.smsUrl, ...raceBudgets };
  const stack = await startTemporaryStack({ settings });
  try {
    return await race(stack.descriptor() as RaceStack, receivers, options);
  } finally {
    await stack.stop();
    await receivers.stop();
  }
}

async function race(
  stack: RaceStack,
  receivers: ShareReceivers,
  { recipients, sends, onProgress }: ShareRaceOptions,
): Promise<ShareFigure[]> {
  const [busy, other] = [await signUp(stack), await signUp(stack)];
  await configure(busy, receivers, true, recipients);
  await configure(other, receivers, false, 1);
  for (const channel of sharedChannels) {
    for (let send = 0; send < sends; send++) await sendTo(busy, channel, peopleOf(channel, recipients, true));
    onProgress?.(`${sends} sends to ${recipients} recipients by ${channel}`);
  }
  const figures: ShareFigure[] = [];
  for (const channel of sharedChannels) {
    figures.push(await measure(other, channel, receivers));
    onProgress?.(`${channel}: ${JSON.stringify(figures.at(-1))}`);
  }
  return figures;
}

async function measure(other: Api, channel: SharedChannel, receivers: ShareReceivers): Promise<ShareFigure> {
  await eventually(
    () => receivers.of(channel, true).length,
    (count) => count > 0,
    ARRIVAL_SECONDS,
  );
  const calledMs = Date.now();
  await sendTo(other, channel, peopleOf(channel, 1, false));
  const [arrival] = await eventually(
    () => receivers.of(channel, false),
    (arrivals) => arrivals.length > 0,
    ARRIVAL_SECONDS,
  );
  const atMs = arrival?.atMs ?? 0;
  const ahead = receivers.of(channel, true).filter((one) => one.atMs <= atMs).length;
  return { channel, arrivedMs: atMs - calledMs, ahead };
}

/** Without an escalation, which would repeat the message. */
async function sendTo(client: Api, channel: SharedChannel, people: readonly object[]): Promise<void> {
  const body = {
    recipients: [...people],
    channels: [channel],
    escalation: { delays: [0] },
    content: { payload: 'for you' },
  };
  succeeded(await client.call(sendNotification, { body: body as never }));
}

async function configure(
  client: Api,
  receivers: ShareReceivers,
  isSilent: boolean,
  count: number,
): Promise<void> {
  const urls = ['webhook', 'slack', 'teams'].map((name) => [name, { url: receivers.urlOf(name, isSilent) }]);
  const body = Object.assign(new NotifyConfiguration(), { targets: Object.fromEntries(urls) as never });
  succeeded(await client.call(putConfig, { body }));
  const people = peopleOf('web_push', count, isSilent);
  for (let start = 0; start < count; start += REGISTRATIONS_AT_ONCE)
    await Promise.all(
      people
        .slice(start, start + REGISTRATIONS_AT_ONCE)
        .map(({ id }) => register(client, id, receivers.urlOf('web_push', isSilent))),
    );
}

/** Registers a browser of a person. */
async function register(client: Api, recipient_id: string, url: string): Promise<void> {
  const key = createECDH('prime256v1');
  key.generateKeys();
  const keys = { p256dh: key.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
  const token = JSON.stringify({ endpoint: `${url}/${recipient_id}`, keys });
  const body = { platform: 'web', token, recipient_id } as never;
  succeeded(await client.call(registerPushToken, { body }));
}

interface Person {
  readonly id: string;
  readonly email?: string;
  readonly phone?: string;
}

function peopleOf(channel: SharedChannel, count: number, isSilent: boolean): Person[] {
  const name = isSilent ? 'silent' : 'answering';
  return Array.from({ length: count }, (_, index) => ({
    id: `${name}-${index}`,
    ...(channel === 'email' && { email: `${name}${index}@race.example` }),
    ...(channel === 'voice' && { phone: numberOf(index, isSilent) }),
  }));
}

function numberOf(index: number, isSilent: boolean): string {
  return `${isSilent ? SILENT_NUMBERS : '+1650555'}${String(index).padStart(4, '0')}`;
}
