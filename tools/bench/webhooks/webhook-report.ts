// The tables of `npm run bench -- webhooks`.
import { setTimeout as delay } from 'node:timers/promises';
import { table } from '../report.ts';
import type { People } from './workspaces.ts';

export type WebhookKind = 'command' | 'submission' | 'view' | 'home' | 'other';

/** A webhook with its status and the milliseconds until its answer. */
export interface Webhook {
  kind: WebhookKind;
  status: number | string;
  ms: number;
}

/** The longest wait for effects of webhooks. */
export const SETTLE_MS = 60_000;

/** The times of answers by kind, and each status other than 200. */
export function reportAnswers(load: readonly Webhook[], workspaces: number) {
  const kinds = [...new Set(load.map(({ kind }) => kind))];
  table(
    `Answers to ${load.length} webhooks of ${workspaces} workspaces`,
    ['', 'requests', 'p50 ms', 'p99 ms', 'max ms', 'not 200'],
    [
      ...kinds.map((kind) =>
        timesOf(
          kind,
          load.filter((one) => one.kind === kind),
        ),
      ),
      timesOf('all', load),
    ],
  );
  for (const status of new Set(load.map((one) => one.status)))
    if (status !== 200) process.stdout.write(`  answered ${status}\n`);
}

function timesOf(name: string, some: readonly Webhook[]) {
  const sorted = some.map(({ ms }) => ms).sort((a, b) => a - b);
  const others = some.filter(({ status }) => status !== 200);
  return [name, some.length, partAt(sorted, 0.5), partAt(sorted, 0.99), partAt(sorted, 1), others.length];
}

/** The time within which this part of the requests was answered. */
function partAt(sorted: readonly number[], part: number) {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
}

/** What the accepted webhooks should have caused beside the secret in each workspace, and what they have. */
export async function reportEffects(load: readonly Webhook[], people: People, teams: readonly string[]) {
  const accepted = (wanted: WebhookKind) =>
    load.filter(({ kind, status }) => kind === wanted && status === 200).length;
  const expected = { secrets: accepted('submission') + teams.length, burned: accepted('view') };
  const found = await countMessages(people, teams, expected);
  table(
    'Effects',
    ['', 'expected', 'found'],
    [
      ['secrets in conversations', expected.secrets, found.secrets],
      ['viewed and destroyed', expected.burned, found.burned],
    ],
  );
}

interface MessageCounts {
  secrets: number;
  burned: number;
}

/** Counts until everything is there, or a minute is over. */
async function countMessages(
  people: People,
  teams: readonly string[],
  expected: MessageCounts,
): Promise<MessageCounts> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const all = (await Promise.all(teams.map((team) => people.messages(team)))).flat();
    const burned = all.filter(({ text }) => text.startsWith('Secret Burned')).length;
    const secrets = all.filter(({ sparkId }) => sparkId).length + burned;
    const isComplete = secrets >= expected.secrets && burned >= expected.burned;
    if (isComplete || performance.now() > end) return { secrets, burned };
    await delay(500);
  }
}

/** @param used microseconds of a webhook, by process */
export function reportProcessorTime(used: Readonly<Record<string, number>>) {
  table(
    'Processor time of a webhook',
    ['', 'us'],
    Object.entries(used)
      .sort(([, a], [, b]) => b - a)
      .map(([name, us]) => [name, us.toFixed(0)]),
  );
}
