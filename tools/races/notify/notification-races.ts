import {
  NotifyConfiguration,
  putConfig,
  readSend,
  sendNotification,
  type NotifyChannel,
  type SendReport,
} from '@vaultsvc/contracts/notify';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { startTemporaryStack, type TemporaryStack } from '../../stack/temporary-stack.ts';
import { randomFrom } from '../../test/random.ts';
import { secondOf, withSecondInstance } from '../second-instance.ts';
import { injectStackFaults } from '../stack-faults.js';
import { compareDeliveries, type Comparison, type ExpectedSend } from './notification-deviations.js';
import { raceBudgets, signUp, type RaceStack } from './race-account.js';
import { Receivers } from './receivers.js';

export interface NotificationRaceOptions {
  readonly sends: number;
  /** Recipients of each send. */
  readonly recipients: number;
  /** Kills, at least. */
  readonly kills: number;
  /** Repeats the choice of victims, but not their moments. */
  readonly seed: number;
  readonly onProgress?: (line: string) => void;
}

export interface NotificationRaceReport extends Comparison {
  readonly kills: Readonly<Record<string, number>>;
}

const SECOND = secondOf('notify');
/** Most kills hit the workers. */
const VICTIMS: readonly string[] = [
  ...['notify', SECOND, 'notify', SECOND, 'notify', SECOND],
  ...['nats', 'postgres', 'sparks'],
];
const CHANNELS: readonly NotifyChannel[] = ['in_app', 'email', 'webhook'];
/** Seconds after which the second and third channel follow. */
const DELAYS = [0, 2, 4];
const PAUSE_MS_MAX = 1_000;
/** A message of a killed worker is sent again when its lease of a minute has ended. */
const DELIVERED_SECONDS = 600;

/**
 * Sends are made while two instances of notify, NATS, PostgreSQL and sparks are killed at random moments. Each recipient must
 * get exactly one message for each step.
 */
export async function runNotificationRaces(
  options: NotificationRaceOptions,
): Promise<NotificationRaceReport> {
  const receivers = await Receivers.start();
  const settings = { SMTP_URL: receivers.smtpUrl, MAIL_RATE_PER_SECOND: '1000', ...raceBudgets };
  const stack = await startTemporaryStack({ settings });
  let { stop } = stack;
  try {
    const doubled = await withSecondInstance(stack, 'notify', settings);
    ({ stop } = doubled);
    return await race(doubled, receivers, options);
  } finally {
    await stop();
    await receivers.stop();
  }
}

async function race(
  stack: TemporaryStack,
  receivers: Receivers,
  { sends, recipients, kills: killsMin, seed, onProgress }: NotificationRaceOptions,
): Promise<NotificationRaceReport> {
  const client = await signUp(stack.descriptor() as RaceStack);
  const targets = { webhook: { url: receivers.webhookUrl } };
  succeeded(await client.call(putConfig, { body: Object.assign(new NotifyConfiguration(), { targets }) }));
  const expected = Array.from({ length: sends }, (_, send) => plannedSend(send, recipients));
  const kills: Record<string, number> = {};
  const reports = new Map<string, SendReport>();
  const stop = new AbortController();
  let accepted = 0;
  const faults = injectStackFaults({
    stack,
    victims: VICTIMS,
    kills,
    progress: () => accepted + receivers.received.length,
    signal: stop.signal,
    pauseMsMax: PAUSE_MS_MAX,
    random: randomFrom(seed),
  });
  const isKilledEnough = () => Object.values(kills).reduce((sum, times) => sum + times, 0) >= killsMin;
  try {
    for (const send of expected) {
      await accept(client, send);
      accepted += 1;
      onProgress?.(`${accepted} sends accepted, ${receivers.received.length} messages received`);
    }
    // Faults go on while messages are delivered.
    await eventually(
      async () => receivers.received.length,
      (now) => isKilledEnough() || now >= sends * recipients * 2,
      DELIVERED_SECONDS,
    );
  } finally {
    stop.abort();
    await faults;
  }
  for (const { sendId } of expected) reports.set(sendId, await settled(client, sendId));
  return { ...compareDeliveries(expected, reports, receivers.received), kills };
}

function plannedSend(send: number, recipients: number): ExpectedSend {
  const names = Array.from({ length: recipients }, (_, index) => `r${index}.s${send}@race.example`);
  return { sendId: `race-${send}`, recipients: names, channels: CHANNELS };
}

/** Repeats the call under its id until it is answered: a send is accepted once, however often it is asked for (NTF-21). */
async function accept(client: Api, { sendId, recipients }: ExpectedSend): Promise<void> {
  const body = {
    send_id: sendId,
    recipients: [...recipients],
    channels: [...CHANNELS],
    escalation: { delays: DELAYS },
    content: { payload: sendId },
  };
  await eventually(
    () => client.call(sendNotification, { body: body as never }).catch(() => undefined), // the gateway may lose its services
    (answer) => answer?.data !== undefined,
    DELIVERED_SECONDS,
  );
}

/** The report of a send, once nothing of it is due. A service that was killed may not answer yet. */
async function settled(client: Api, send_id: string): Promise<SendReport> {
  const isSettled = (report?: SendReport) =>
    report?.recipient_states.every(({ deliveries }) =>
      deliveries.every(({ state }) => state !== 'queued' && state !== 'scheduled'),
    ) ?? false;
  const read = async () => (await client.call(readSend, { params: { send_id } })).data;
  return (await eventually(read, isSettled, DELIVERED_SECONDS)) as SendReport;
}
