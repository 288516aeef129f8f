// Webhooks of many workspaces at a fixed rate: how long the chat platform, which waits three seconds, waits for answers.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { cpuMicroseconds, perRequest } from '../cpu.ts';
import { productPids } from '../platform/process-groups.ts';
import { say, table } from '../report.ts';
import { pidsOf } from '../rows.ts';
import { connectWorkspaces, People, type Message } from './workspaces.ts';

type Kind = 'command' | 'submission' | 'view' | 'home' | 'other';

/** What people do, in every 20 requests. */
const MIX = [
  ...Array<Kind>(8).fill('command'),
  ...Array<Kind>(6).fill('submission'),
  ...Array<Kind>(3).fill('view'),
  ...Array<Kind>(1).fill('home'),
  ...Array<Kind>(2).fill('other'),
];
const SETTLE_MS = 60_000;

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

/** A webhook with its status and the milliseconds until its answer. */
interface Webhook {
  kind: Kind;
  status: number | string;
  ms: number;
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
  await report(load, used, { people, teams, viewed: viewedIn(load) });
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

const viewedIn = (load: Webhook[]) =>
  load.filter(({ kind, status }) => kind === 'view' && status === 200).length;

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

async function report(
  load: Webhook[],
  used: Record<string, number>,
  { people, teams, viewed }: Pick<Platform, 'people' | 'teams'> & { viewed: number },
) {
  const times = (some: Webhook[]) => some.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (sorted: number[], part: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
  const row = (name: string, some: Webhook[]) => {
    const sorted = times(some);
    const others = some.filter(({ status }) => status !== 200);
    return [name, some.length, at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1), others.length];
  };
  const kinds = [...new Set(load.map(({ kind }) => kind))];
  table(
    `Answers to ${load.length} webhooks of ${teams.length} workspaces`,
    ['', 'requests', 'p50 ms', 'p99 ms', 'max ms', 'not 200'],
    [
      ...kinds.map((kind) =>
        row(
          kind,
          load.filter((one) => one.kind === kind),
        ),
      ),
      row('all', load),
    ],
  );
  for (const status of new Set(load.map((one) => one.status)))
    if (status !== 200) process.stdout.write(`  answered ${status}\n`);
  const submitted = load.filter(({ kind, status }) => kind === 'submission' && status === 200).length;
  const expected = submitted + teams.length;
  const counts = await countMessages(people, teams, { expected, viewed });
  table(
    'Effects',
    ['', 'expected', 'found'],
    [
      ['secrets in conversations', expected, counts.secrets],
      ['viewed and destroyed', viewed, counts.burned],
    ],
  );
  const rows = Object.entries(used).sort(([, a], [, b]) => b - a);
  table(
    'Processor time of a webhook',
    ['', 'us'],
    rows.map(([name, us]) => [name, us.toFixed(0)]),
  );
}

/** Counts until everything is there, or a minute is over. */
async function countMessages(
  people: People,
  teams: string[],
  { expected, viewed }: { expected: number; viewed: number },
) {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const all = (await Promise.all(teams.map((team) => people.messages(team)))).flat();
    const burned = all.filter(({ text }) => text.startsWith('Secret Burned')).length;
    const secrets = all.filter(({ sparkId }) => sparkId).length + burned;
    const isComplete = secrets >= expected && burned >= viewed;
    if (isComplete || performance.now() > end) return { secrets, burned };
    await delay(500);
  }
}
