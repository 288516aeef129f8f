// A large content to 500 recipients: how soon it is accepted, how much the databases grow, and what another account notices.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { newAccountToken } from '../new-account.ts';
import { httpClient, openLoad, type Answer, type OpenLoad } from '../load.ts';
import { median, say, table } from '../report.ts';
import { databaseBytes } from './database-bytes.ts';

const RECIPIENTS = 500;
const CONTENT_BYTES = 256_000;
const CREATES_PER_SECOND = 100;
const CONNECTIONS = 64;
/** Lets queues and outboxes of the phase before drain. */
const PAUSE_MS = 5_000;
/** Thirty phases of 20 sends are 300,000 messages of `in_app` in one hour. */
const SETTINGS = { OTHER_MESSAGES_PER_HOUR: '10000000' };

/** `npm run bench -- sends`. `args`: the arguments after the name. */
export async function benchSends(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, sends: { type: 'string', default: '20' } },
  });
  await withTemporaryStack((stack) => measure(stack, Number(values.rounds), Number(values.sends)), {
    settings: SETTINGS,
  });
}

async function measure(stack: StackDescription, rounds: number, sends: number) {
  const other = creatorOf(stack, `Bearer ${await newAccountToken(stack)}`);
  const sender = senderOf(stack);
  try {
    say('warming up');
    await Promise.all([other.create(5), sender.send()]);
    const single = await growthOfOne(stack, sender);
    const measured: SendRound[] = [];
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      measured.push(await measureRound(other, sender, sends));
    }
    report(single, measured, sends);
  } finally {
    other.close();
    sender.close();
  }
}

/** The growth after everything that the send causes has settled. */
async function growthOfOne(stack: StackDescription, sender: Sender) {
  await delay(PAUSE_MS);
  const before = await databaseBytes(stack.postgres_url);
  const milliseconds = await sender.send();
  await delay(PAUSE_MS);
  return { milliseconds, bytes: (await databaseBytes(stack.postgres_url)) - before };
}

type Creator = ReturnType<typeof creatorOf>;
type Sender = ReturnType<typeof senderOf>;

/** The creates of the other account, and the milliseconds of sends: their median and their maximum. */
interface SendRound {
  alone: OpenLoad;
  beside: OpenLoad;
  accepted: number;
  slowest: number;
}

/** Creates alone, then creates beside the sends, for as long as these take. */
async function measureRound(other: Creator, sender: Sender, sends: number): Promise<SendRound> {
  await delay(PAUSE_MS);
  const seconds = Math.max(10, sends / 2);
  const alone = await other.create(seconds);
  const accepted: number[] = [];
  const sending = (async () => {
    for (let i = 0; i < sends; i++) accepted.push(await sender.send());
  })();
  const [beside] = await Promise.all([other.create(seconds), sending]);
  return { alone, beside, accepted: median(accepted), slowest: Math.max(...accepted) };
}

/** Creates Sparks of another account, at a fixed rate. */
function creatorOf(stack: StackDescription, authorization: string) {
  const client = httpClient(stack.api_url, CONNECTIONS);
  const body = JSON.stringify({ payload: 'x'.repeat(1_024) });
  const headers = { authorization, 'content-type': 'application/json' };
  const task = async () => assertStatus(201, await client.send('POST', '/v1/sparks', headers, body));
  return {
    create: (seconds: number) => openLoad({ perSecond: CREATES_PER_SECOND, seconds, task }),
    close: () => client.close(),
  };
}

/** Sends the largest content to 500 recipients; resolves to the milliseconds until it was accepted. */
function senderOf(stack: StackDescription) {
  const client = httpClient(stack.api_url, 1);
  const recipients = Array.from({ length: RECIPIENTS }, (_, i) => `person-${i}`);
  const content = { payload: 'x'.repeat(CONTENT_BYTES) };
  const body = JSON.stringify({ recipients, content, channels: ['in_app'] });
  const headers = { 'x-api-key': stack.account.api_key, 'content-type': 'application/json' };
  const send = async () => {
    const startedAt = performance.now();
    assertStatus(202, await client.send('POST', '/v1/products/notify/send', headers, body));
    return performance.now() - startedAt;
  };
  return { send, close: () => client.close() };
}

function assertStatus(expected: number, { status, text }: Answer) {
  if (status !== expected) throw new Error(`expected ${expected}, got ${status}: ${text.slice(0, 200)}`);
}

function report(single: { milliseconds: number; bytes: number }, rounds: SendRound[], sends: number) {
  table(
    `${CONTENT_BYTES} bytes to ${RECIPIENTS} recipients, nothing else`,
    ['', 'accepted after ms', 'databases grow by MB'],
    [['one send', single.milliseconds.toFixed(0), (single.bytes / 1_000_000).toFixed(2)]],
  );
  const p99 = (side: 'alone' | 'beside') => rounds.map((round) => round[side].p99);
  const cells = rounds.map(({ alone, beside, accepted, slowest }, index) => [
    `round ${index + 1}`,
    alone.p50.toFixed(1),
    alone.p99.toFixed(1),
    beside.p50.toFixed(1),
    beside.p99.toFixed(1),
    accepted.toFixed(0),
    slowest.toFixed(0),
    alone.errors + beside.errors,
  ]);
  table(
    `${CREATES_PER_SECOND} creates/s of another account, alone and beside ${sends} such sends`,
    ['', 'alone p50 ms', 'p99', 'beside p50', 'p99', 'accepted ms', 'slowest', 'errors'],
    cells,
  );
  const ratio = median(p99('beside')) / median(p99('alone'));
  table('Ratio of the medians', ['', 'beside / alone'], [['p99 of creates', ratio.toFixed(2)]]);
}
