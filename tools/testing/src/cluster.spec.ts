import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createApiKey, revokeApiKey } from '@vaultsvc/contracts/auth';
import { listSparkHistory } from '@vaultsvc/contracts/reporting';
import { createSpark, listSparks, readSpark } from '@vaultsvc/contracts/sparks';
import { createIngot, downloadIngot, readIngot } from '@vaultsvc/contracts/vaults';
import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import {
  startNatsCluster,
  startPostgresPair,
  startRedisCluster,
  type RedisClusterServers,
  type TestServer,
} from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { compareDownload, RetryingVaultClient } from '../../races/retrying-vault-client.js';
import { TusTransfer } from '../../races/tus-transfer.js';
import { mintApiKey } from './accounts.js';
import { startPlatform } from './platform.js';

/** A silent master of Redis is replaced after this time and an election. */
const NODE_TIMEOUT_MS = 2_000;
const WORKERS = 6;
/** Between the Sparks of a worker: the test is of failovers, not of load. */
const PAUSE_MS = 20;
const FILE_BYTES = 300_000;
/** For the effect of a failover, on a busy machine too. */
const PATIENCE_SECONDS = 120;

/** NATS of three, a Redis Cluster, and two shards, of which sparks has a primary and a synchronous standby each. */
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
      SHARD: '0',
      ACCOUNT_SHARDS: '0,1',
      REDIS_ANSWER_MS: '30000',
    };
    const platform = await startPlatform(settings, { sparks: { ...pairs[0]?.settings } });
    await platform.harness.startShard(sparks, 1, { ...pairs[1]?.settings });
    await platform.harness.startShard(reporting, 1);
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

/** As `eventually`, after a failover. */
function soon<T>(read: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T> {
  return eventually(read, holds, PATIENCE_SECONDS);
}

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

  /** Waits until so many more Sparks are made. */
  async waitForMore(by: number): Promise<void> {
    const { length } = this.outcomes;
    await soon(
      () => this.outcomes.length,
      (now) => now >= length + by,
    );
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

/** Uploads files one after the other with an unmodified tus client, until it is stopped. */
class Uploads {
  readonly files: { readonly ingot_id: string; readonly content: Buffer }[] = [];
  lostChunks = 0;
  lostUploads = 0;
  #isStopped = false;
  readonly #worker: Promise<void>;

  constructor(private readonly vault: RetryingVaultClient) {
    this.#worker = this.#work();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker;
  }

  /** Downloads a file, and compares it byte by byte. */
  async compare({ ingot_id, content }: (typeof this.files)[number]): Promise<string> {
    const params = { vault_id: this.vault.vaultId, ingot_id };
    await soon(
      () => this.vault.call(readIngot, { params }),
      ({ status }) => status === 'active',
    );
    const download = async () =>
      compareDownload(
        (await this.vault.call(downloadIngot, { params, body: { stream: false } })).download_url,
        content,
      );
    return soon(download, (outcome) => outcome !== 'interrupted');
  }

  async #work(): Promise<void> {
    while (!this.#isStopped) {
      const content = randomBytes(FILE_BYTES);
      const file = {
        name: newId('file_'),
        size_bytes: content.length,
        content_type: 'application/octet-stream',
      };
      const input = { params: { vault_id: this.vault.vaultId }, body: file };
      const { forge_url, ingot_id } = await this.vault.call(createIngot, input);
      const transfer = new TusTransfer(content, forge_url);
      const outcome = await transfer.run();
      this.lostChunks += transfer.lostChunks;
      if (outcome === 'deleted') this.lostUploads += 1;
      if (outcome === 'complete') this.files.push({ ingot_id, content });
    }
  }
}

async function newKey(owner: Api) {
  const { api_key, api_key_id } = succeeded(await owner.call(createApiKey, { body: { name: 'to revoke' } }));
  return { api_key_id, holder: api(fixture.platform.url, { key: api_key }) };
}
const revoke = (owner: Api, { api_key_id }: { readonly api_key_id: string }) =>
  owner.call(revokeApiKey, { params: { api_key_id } });
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
  const { status } = await soon(
    () => list(holder),
    (answer) => [200, 401].includes(answer.status),
  );
  expect(status).toBe(401);
}

/** The answer to a further read, once nothing fails and no lock is left. */
async function statusOf({ caller, spark_id }: SparkOutcome): Promise<number> {
  const read = () => caller.call(readSpark, { params: { spark_id } });
  return (await soon(read, ({ status }) => ![409, 429, 500].includes(status))).status;
}

/** A read that was not answered may have burned the Spark, or not. */
function possibleAfter({ isTried, reveals }: SparkOutcome): number[] {
  if (!isTried) return [200];
  return reveals > 0 ? [403] : [200, 403];
}

/** A replica takes the place of a killed master, which comes back as a replica: without one, revocations are answered with 500. */
async function replaceMaster(redis: RedisClusterServers): Promise<void> {
  const { master, masterId } = await redis.shardOf(0);
  await master.kill('SIGKILL');
  const replacement = () => redis.shardOf(0).catch(() => undefined);
  await soon(replacement, (shard) => shard !== undefined && shard.masterId !== masterId);
  await master.restart();
  await soon(replacement, (shard) => shard?.replicas.length === 1);
}

/** The server stops answering at once, and comes back with what it had on disk. */
async function crash(node: TestServer): Promise<void> {
  await node.kill('SIGKILL');
  await node.restart();
}

async function verifyUploads(uploads: Uploads): Promise<void> {
  expect([uploads.lostChunks, uploads.lostUploads]).toEqual([0, 0]);
  expect(uploads.files.length).toBeGreaterThan(0);
  for (const file of uploads.files) expect(await uploads.compare(file)).toBe('equal');
}

async function verifySparks({ outcomes, wrong }: Traffic): Promise<void> {
  expect(wrong).toEqual([]);
  expect(outcomes.filter(({ reveals }) => reveals > 1)).toEqual([]);
  for (const outcome of outcomes) expect(possibleAfter(outcome)).toContain(await statusOf(outcome));
}

/** All Sparks are opened by now, so the history has the event of each. */
async function verifyHistory({ outcomes }: Traffic, caller: Api): Promise<void> {
  const own = outcomes.filter((outcome) => outcome.caller === caller).map(({ spark_id }) => spark_id);
  await soon(
    () => openedIn(caller),
    (opened) => own.every((spark_id) => opened.has(spark_id)),
  );
}

describe('MISC-01 MISC-08: a platform on clusters', () => {
  it('SPK-25 SPK-27 FRG-10 KEY-13 AUD-01: loses no burn, upload, revocation or event that it acknowledged when one server of each fails', async () => {
    const { nats, redis, pairs, platform } = fixture;
    const callers = [await callerOf(0), await callerOf(1)] as const;
    const [owner] = callers;
    const [before, during] = [await newKey(owner), await newKey(owner)];
    const { apiKey } = await mintApiKey(platform.auth);
    const uploads = new Uploads(await RetryingVaultClient.open(platform.url, apiKey));
    const traffic = new Traffic(callers);
    await traffic.waitForMore(60);
    expect((await revoke(owner, before)).status).toBe(200);
    await replaceMaster(redis);
    await pairs[0]?.failOver();
    await traffic.waitForMore(60);
    await soon(
      () => revoke(owner, during),
      ({ status }) => status === 200 || status === 404,
    );
    for (const node of nats) {
      await crash(node);
      await traffic.waitForMore(30);
    }
    await pairs[1]?.failOver();
    await traffic.waitForMore(60);
    await Promise.all([traffic.stop(), uploads.stop()]);

    await verifyUploads(uploads);
    await verifySparks(traffic);
    for (const { holder } of [before, during]) await expectRefused(holder);
    for (const caller of callers) await verifyHistory(traffic, caller);
  }, 600_000);
});
