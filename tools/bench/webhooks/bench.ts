// @ts-nocheck
// Webhooks of many workspaces at a fixed rate: how long the chat platform, which waits three seconds, waits for answers.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { cpuMicroseconds, perRequest } from '../cpu.ts';
import { productPids } from '../platform/process-groups.ts';
import { say, table } from '../report.ts';
import { connectWorkspaces, People } from './workspaces.ts';

/** What people do, in every 20 requests. */
const MIX = [
  ...Array(8).fill('command'),
  ...Array(6).fill('submission'),
  ...Array(3).fill('view'),
  ...Array(1).fill('home'),
  ...Array(2).fill('other'),
];
const SETTLE_MS = 60_000;

/** `npm run bench -- webhooks`. `args`: the arguments after the name. */
export async function benchWebhooks(args) {
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '200' },
      workspaces: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const [rate, workspaces, seconds] = [values.rate, values.workspaces, values.seconds].map(Number);
  await withTemporaryStack((stack) => measure(stack, { rate, workspaces, seconds }));
}

async function measure(stack, { rate, workspaces, seconds }) {
  say(`connecting ${workspaces} workspaces`);
  const teams = await connectWorkspaces(stack, workspaces);
  const people = new People(stack);
  say('sending a secret in each, to be viewed');
  for (const team of teams) await people.submission(team, 'to be viewed');
  const viewable = await settled(people, teams, (messages) => messages.some(({ sparkId }) => sparkId));
  say(`sending ${rate} webhooks a second for ${seconds} s`);
  const pids = { ...productPids(stack), providers: stack.providers.pid };
  const before = cpuMicroseconds(pids);
  const load = await sendAtRate({ people, teams, viewable }, rate, rate * seconds);
  const used = perRequest(before, cpuMicroseconds(pids), load.length);
  say('waiting for what they cause');
  await report(load, used, { people, teams, viewed: viewedIn(load) });
}

/** Starts requests by the clock, whether or not earlier ones are answered; times count from when each was due. */
async function sendAtRate(world, rate, count) {
  const begun = performance.now() + 100;
  const running = [];
  for (let number = 0; number < count; number++) {
    const due = begun + (number * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await delay(wait);
    running.push(send(world, number, due));
  }
  return Promise.all(running);
}

async function send({ people, teams, viewable }, number, due) {
  const team = teams[number % teams.length];
  const kind = MIX[Math.floor(number / teams.length + number) % MIX.length];
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

const viewedIn = (load) => load.filter(({ kind, status }) => kind === 'view' && status === 200).length;

/** Waits until the messages of every workspace are as they should be; returns the first with a secret of each. */
async function settled(people, teams, isSettled) {
  const found = new Map();
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

async function report(load, used, { people, teams, viewed }) {
  const times = (some) => some.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (sorted, part) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
  const row = (name, some) => {
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
async function countMessages(people, teams, { expected, viewed }) {
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
