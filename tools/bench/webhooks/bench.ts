// Webhooks of many workspaces at a fixed rate: how long the chat platform, which waits three seconds, waits for answers.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { cpuMicroseconds, perRequest } from '../cpu.ts';
import { productPids } from '../platform/process-groups.ts';
import { say } from '../report.ts';
import { pidsOf } from '../rows.ts';
import {
  reportAnswers,
  reportEffects,
  reportProcessorTime,
  SETTLE_MS,
  type Webhook,
  type WebhookKind,
} from './webhook-report.ts';
import { connectWorkspaces, People, type Message } from './workspaces.ts';

/** What people do, in every 20 requests. */
const MIX = [
  ...Array<WebhookKind>(8).fill('command'),
  ...Array<WebhookKind>(6).fill('submission'),
  ...Array<WebhookKind>(3).fill('view'),
  ...Array<WebhookKind>(1).fill('home'),
  ...Array<WebhookKind>(2).fill('other'),
];

/** `npm run bench -- webhooks`. `args`: the arguments after the name. */
export async function benchWebhooks(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '200' },
      workspaces: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const options = {
    rate: Number(values.rate),
    workspaces: Number(values.workspaces),
    seconds: Number(values.seconds),
  };
  await withTemporaryStack((stack) => measure(stack, options));
}

interface Options {
  rate: number;
  workspaces: number;
  seconds: number;
}

/** Who sends webhooks, and a message to be viewed of each workspace. */
interface Platform {
  people: People;
  teams: string[];
  viewable: Map<string, Message | undefined>;
}

async function measure(stack: StackDescription, { rate, workspaces, seconds }: Options) {
  say(`connecting ${workspaces} workspaces`);
  const teams = await connectWorkspaces(stack, workspaces);
  const people = new People(stack);
  say('sending a secret in each, to be viewed');
  for (const team of teams) await people.submission(team, 'to be viewed');
  const viewable = await settled(people, teams, (messages) =>
    messages.some(({ sparkId }) => sparkId !== undefined),
  );
  say(`sending ${rate} webhooks a second for ${seconds} s`);
  const pids = { ...productPids(stack), ...pidsOf({ providers: stack.providers }) };
  const before = cpuMicroseconds(pids);
  const load = await sendAtRate({ people, teams, viewable }, rate, rate * seconds);
  const used = perRequest(before, cpuMicroseconds(pids), load.length);
  say('waiting for what they cause');
  reportAnswers(load, teams.length);
  await reportEffects(load, people, teams);
  reportProcessorTime(used);
}

/** Starts requests by the clock, whether or not earlier ones are answered; times count from when each was due. */
async function sendAtRate(platform: Platform, rate: number, count: number): Promise<Webhook[]> {
  const begun = performance.now() + 100;
  const running: Promise<Webhook>[] = [];
  for (let number = 0; number < count; number++) {
    const due = begun + (number * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await delay(wait);
    running.push(send(platform, number, due));
  }
  return Promise.all(running);
}

async function send({ people, teams, viewable }: Platform, number: number, due: number): Promise<Webhook> {
  const team = teams[number % teams.length] ?? '';
  const kind = MIX[Math.floor(number / teams.length + number) % MIX.length] ?? 'other';
  const message = kind === 'view' ? viewable.get(team) : undefined;
  viewable.delete(message ? team : '');
  const act = {
    command: () => people.command(team),
    submission: () => people.submission(team, `secret ${number}`),
    view: () => (message ? people.view(team, message) : people.command(team)),
    home: () => people.event(team, 'app_home_opened'),
    other: () => people.event(team, 'reaction_added'),
  };
  const status = await act[kind]().catch((error) => String(error));
  return { kind: kind === 'view' && !message ? 'command' : kind, status, ms: performance.now() - due };
}

/** Waits until the messages of every workspace are as they should be; returns the first with a secret of each. */
async function settled(people: People, teams: string[], isSettled: (messages: Message[]) => boolean) {
  const found = new Map<string, Message | undefined>();
  const end = performance.now() + SETTLE_MS;
  for (const team of teams)
    for (;;) {
      const messages = await people.messages(team);
      if (isSettled(messages)) {
        found.set(
          team,
          messages.find(({ sparkId }) => sparkId),
        );
        break;
      }
      if (performance.now() > end) throw new Error(`workspace ${team} has ${messages.length} messages`);
      await delay(200);
    }
  return found;
}
