import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createApiKey, revokeApiKey } from '@vaultsvc/contracts/auth';
import { listSparkHistory } from '@vaultsvc/contracts/reporting';
import { createSpark, listSparks, readSpark } from '@vaultsvc/contracts/sparks';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import {
  startNatsCluster,
  startPostgresPair,
  startRedisCluster,
  type TestServer,
} from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { mintApiKey } from './accounts.js';
import { startPlatform } from './platform.js';

/** A silent master of Redis is replaced after this time and an election. */
const NODE_TIMEOUT_MS = 2_000;
const WORKERS = 6;
/** Between the Sparks of a worker: the test is of failovers, not of load. */
const PAUSE_MS = 20;

/** NATS of three, a Redis Cluster, and two shards of sparks, each with a primary and a synchronous standby. */
const fixture = useFixture(
  async () => {
    const [nats, redis, ...pairs] = await Promise.all([
      startNatsCluster(),
      startRedisCluster({ nodeTimeoutMs: NODE_TIMEOUT_MS }),
      startPostgresPair('sparks'),
      startPostgresPair('sparks'),
    ]);
    const settings = {
      ...redis.settings,
      NATS_URL: nats.map(({ url }) => url).join(),
      NATS_STREAM_REPLICAS: '3',
      SHARDS: '0,1',
      ACCOUNT_SHARDS: '0,1',
      REDIS_ANSWER_MS: '30000',
    };
    const platform = await startPlatform(settings, { sparks: { SHARD: '0', ...pairs[0]?.settings } });
    await platform.harness.startShard(sparks, 1, { ...pairs[1]?.settings });
    return { nats, redis, pairs, platform };
  },
  async ({ nats, redis, pairs, platform }) => {
    await platform.stop();
    await Promise.all([
      redis.stop(),
      ...pairs.map((pair) => pair.stop()),
      ...nats.map((node) => node.kill('SIGKILL')),
    ]);
  },
);

async function callerOf(shard: number): Promise<Api> {
  const { platform } = fixture;
  const { accountId, apiKey } = await mintApiKey(platform.auth);
  return shardOf(accountId) === shard ? api(platform.url, { key: apiKey }) : callerOf(shard);
}

const body = { content_type: 'text/plain', ttl_minutes: 60, filename: null, with_kindling: false };

/** The answers that callers got about one Spark. */
interface SparkOutcome {
  readonly spark_id: string;
  readonly payload: string;
  readonly caller: Api;
  /** Whether anybody tried to read it, and how often its content was answered. */
  isTried: boolean;
  reveals: number;
}

/** Creates Sparks and lets two callers read each at once, until it is stopped. */
class Traffic {
  readonly outcomes: SparkOutcome[] = [];
  readonly wrong: string[] = [];
  #isStopped = false;
  readonly #workers: readonly Promise<void>[];

  constructor(private readonly callers: readonly Api[]) {
    this.#workers = Array.from({ length: WORKERS }, (_, index) => this.#work(index));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#workers);
  }

  async #work(index: number): Promise<void> {
    const caller = this.callers[index % this.callers.length] as Api;
    for (let number = 0; !this.#isStopped; number += 1) {
      const payload = `${index} ${number}`;
      await delay(PAUSE_MS);
      const made = await caller.call(createSpark, { body: { payload, ...body } }).catch(() => undefined);
      if (made?.status !== 201 || !made.data) continue;
      const outcome = { spark_id: made.data.spark_id, payload, caller, isTried: false, reveals: 0 };
      this.outcomes.push(outcome);
      // Every tenth one stays unread.
      if (number % 10 !== 0) await Promise.all([this.#read(outcome), this.#read(outcome)]);
    }
  }

  async #read(outcome: SparkOutcome): Promise<void> {
    outcome.isTried = true;
    const answer = await outcome.caller
      .call(readSpark, { params: { spark_id: outcome.spark_id } })
      .catch(() => undefined);
    if (answer?.status !== 200) return;
    outcome.reveals += 1;
    if (answer.data?.payload !== outcome.payload) this.wrong.push(outcome.spark_id);
  }
}

async function newKey(owner: Api) {
  const { api_key, api_key_id } = succeeded(await owner.call(createApiKey, { body: { name: 'to revoke' } }));
  return { api_key_id, holder: api(fixture.platform.url, { key: api_key }) };
}
const list = (caller: Api) => caller.call(listSparks, { query: { limit: 1 } });

/** The Sparks that the history of an account says were opened. */
async function openedIn(caller: Api): Promise<ReadonlySet<string>> {
  const opened = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor && { cursor }) };
    const page = succeeded(await caller.call(listSparkHistory, { query }));
    for (const { spark_id, status } of page.items) if (spark_id && status === 'opened') opened.add(spark_id);
    cursor = page.next_cursor;
  } while (cursor);
  return opened;
}

/** Waits for the answer to a revoked key: whatever else fails meanwhile, no call is carried out. */
async function expectRefused(holder: Api): Promise<void> {
  const { status } = await eventually(
    () => list(holder),
    (answer) => [200, 401].includes(answer.status),
  );
  expect(status).toBe(401);
}

/** The answer to a further read, once nothing fails and no lock is left. */
async function statusOf({ caller, spark_id }: SparkOutcome): Promise<number> {
  const read = () => caller.call(readSpark, { params: { spark_id } });
  return (await eventually(read, ({ status }) => ![409, 429, 500].includes(status))).status;
}

/** A read that was not answered may have burned the Spark, or not. */
function possibleAfter({ isTried, reveals }: SparkOutcome): number[] {
  if (!isTried) return [200];
  return reveals > 0 ? [403] : [200, 403];
}

/** The server stops answering at once, and comes back with what it had on disk. */
async function crash(node: TestServer): Promise<void> {
  await node.kill('SIGKILL');
  await node.restart();
}

describe('MISC-01 MISC-08: a platform on clusters', () => {
  it('SPK-25 SPK-27 KEY-13 AUD-01: loses no burn, revocation or event that it acknowledged when one server of each fails', async () => {
    const { nats, redis, pairs } = fixture;
    const callers = [await callerOf(0), await callerOf(1)];
    const [owner = callers[0] as Api] = callers;
    const [before, during] = [await newKey(owner), await newKey(owner)];
    const traffic = new Traffic(callers);
    const waitForMore = async (by: number) => {
      const { length } = traffic.outcomes;
      await eventually(
        () => traffic.outcomes.length,
        (now) => now >= length + by,
      );
    };
    await waitForMore(60);
    expect((await owner.call(revokeApiKey, { params: { api_key_id: before.api_key_id } })).status).toBe(200);
    const { master } = await redis.shardOf(0);
    await master.kill('SIGKILL');
    await pairs[0]?.failOver();
    await waitForMore(60);
    await eventually(
      () => owner.call(revokeApiKey, { params: { api_key_id: during.api_key_id } }),
      ({ status }) => status === 200 || status === 404,
    );
    await expectRefused(before.holder);
    for (const node of nats) {
      await crash(node);
      await waitForMore(30);
    }
    await pairs[1]?.failOver();
    await waitForMore(60);
    await traffic.stop();

    expect(traffic.wrong).toEqual([]);
    expect(traffic.outcomes.filter(({ reveals }) => reveals > 1)).toEqual([]);
    for (const { holder } of [before, during]) await expectRefused(holder);
    for (const outcome of traffic.outcomes) expect(possibleAfter(outcome)).toContain(await statusOf(outcome));
    for (const caller of callers) {
      const own = traffic.outcomes
        .filter((outcome) => outcome.caller === caller)
        .map(({ spark_id }) => spark_id);
      await eventually(
        () => openedIn(caller),
        (opened) => own.every((spark_id) => opened.has(spark_id)),
      );
    }
  }, 300_000);
});
