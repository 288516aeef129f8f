// Analytics and the ledger's list for one account, with a tenth of a year's events and with all of them.
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { httpClient, load, type HttpClient, type Measured } from '../load.ts';
import { say, table } from '../report.ts';
import { insertHistory, insertIngots } from './history.ts';

const INGOTS = 10_000;
const P99_MAX_MS = 50;

/** `npm run bench -- analytics`. `args`: the arguments after the name. */
export async function benchAnalytics(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { events: { type: 'string', default: '5000000' }, count: { type: 'string', default: '500' } },
  });
  await withTemporaryStack((stack) => measure(stack, Number(values.events), Number(values.count)));
}

/** The API with the key of the account. */
interface Caller {
  api: HttpClient;
  headers: Record<string, string>;
}

/** A measured call. */
type Target = readonly [name: string, path: string];

async function measure(stack: StackDescription, events: number, count: number) {
  const database = new pg.Client({ connectionString: stack.postgres_url });
  await database.connect();
  const api = httpClient(stack.api_url, 1);
  try {
    const { account_id: accountId = '', api_key = '' } = stack.account;
    const headers = { 'x-api-key': api_key };
    const targets = await targetsOf({ api, headers, database, accountId });
    const run = (from: number, to: number) => {
      say(`inserting events up to ${to}`);
      return insertHistory(database, { accountId, whole: events, from, to }).then(() =>
        measureTargets({ api, headers, targets, count }),
      );
    };
    const tenth = await run(0, events / 10);
    report(targets, tenth, await run(events / 10, events), events);
  } finally {
    api.close();
    await database.end();
  }
}

async function targetsOf({
  api,
  headers,
  database,
  accountId,
}: Caller & { database: pg.Client; accountId: string }): Promise<Target[]> {
  const get = async (path: string) => JSON.parse((await api.send('GET', path, headers)).text).data;
  const { api_keys } = await get('/v1/api-keys');
  const json = { ...headers, 'content-type': 'application/json' };
  const created = await api.send('POST', '/v1/vaults', json, JSON.stringify({ name: 'bench' }));
  const { vault_id: vaultId } = JSON.parse(created.text).data;
  await insertIngots(database, { accountId, vaultId, count: INGOTS });
  return [
    ['overview, week', '/v1/analytics/overview?period=week'],
    ['overview, quarter', '/v1/analytics/overview?period=quarter'],
    ['usage over time, day', '/v1/analytics/usage-over-time?period=day'],
    ['usage over time, quarter', '/v1/analytics/usage-over-time?period=quarter'],
    ['activity, 50', '/v1/analytics/activity'],
    ['activity, 200', '/v1/analytics/activity?limit=200'],
    ['activity, rare type', '/v1/analytics/activity?event_type=vault_created'],
    ['Spark activity, hours', '/v1/analytics/spark-activity?days=1'],
    ['Spark activity, 365 days', '/v1/analytics/spark-activity?days=365'],
    ['transactions, 50', '/v1/billing/transactions'],
    ['transactions, rare type', '/v1/billing/transactions?type=vault_create'],
    ['transactions, rolled up too', '/v1/billing/transactions?include_aggregated=true'],
    [`vault of ${INGOTS} ingots`, `/v1/analytics/vaults/${vaultId}`],
    ['API key', `/v1/analytics/api-keys/${api_keys[0].api_key_id}`],
  ];
}

async function measureTargets({
  api,
  headers,
  targets,
  count,
}: Caller & { targets: Target[]; count: number }): Promise<Measured<void>[]> {
  const measured: Measured<void>[] = [];
  for (const [name, path] of targets) {
    say(`${name}: ${count} calls`);
    const task = async () => {
      const { status, text } = await api.send('GET', path, headers);
      if (status !== 200) throw new Error(text);
    };
    await load({ count: 20, concurrency: 1, task });
    measured.push(await load({ count, concurrency: 1, task }));
  }
  return measured;
}

function report(targets: Target[], tenth: Measured<void>[], whole: Measured<void>[], events: number) {
  table(
    `One caller, milliseconds through the gateway, with ${events / 10} and ${events} events of the account; p99 at most ${P99_MAX_MS}`,
    ['', 'p50', 'p99', 'p50', 'p99', 'growth', 'errors'],
    targets.flatMap(([name], i) => {
      const [few, all] = [tenth[i], whole[i]];
      if (!few || !all) return [];
      const times = [few, all].flatMap(({ p50, p99 }) => [p50.toFixed(1), p99.toFixed(1)]);
      return [[name, ...times, (all.p50 / few.p50).toFixed(2), few.errors + all.errors]];
    }),
  );
}
