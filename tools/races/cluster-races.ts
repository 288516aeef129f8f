import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@vaultsvc/crypto/encoding';
import { createDataSource } from '@vaultsvc/database';
import { accountContext, databaseConfigOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import {
  startNatsCluster,
  startPostgresPair,
  type PostgresPairServers,
  type TestServer,
} from '@vaultsvc/testing/servers';
import { connectInspector, TestBus } from '@vaultsvc/testing/wire';
import type { ServiceInstance } from './instance-faults.js';
import type { Race } from './race.js';
import type { RaceDatabase, RaceSite } from './race-site.js';
import { buildService, migrateService, startInstance } from './service-instances.ts';
import { runAndSummarize } from './spark-races.js';

const SHARDS = [0, 1];
const INSTANCES_EACH = 2;
const NATS_FAULT_EVERY_MS = 15_000;
const RETRY_MS = 100;
const RETRIES_MAX = 300;

/**
 * Two shards of sparks, each with a primary of PostgreSQL and a synchronous standby, on a NATS of three. The primary of the first shard
 * fails after a third of the races, that of the second one after two thirds; servers of NATS crash all the time.
 */
async function startClusters(): Promise<RaceSite> {
  const [nats, ...pairs] = await Promise.all([
    startNatsCluster(),
    ...SHARDS.map(() => startPostgresPair('sparks')),
  ]);
  const urls = nats.map(({ url }) => url).join();
  const harness = await startHarness();
  const connection = await connectInspector(urls);
  const instances = await startInstances(harness, urls, pairs);
  const databases = await Promise.all(pairs.map(openDatabase));
  return {
    bus: new TestBus(connection),
    instances,
    databases,
    newOwner: (number) => accountContext({ accountId: newId('acc_', SHARDS[number % SHARDS.length]) }),
    disturb: async (signal, progress) => {
      await Promise.all([
        crashInTurn(nats, signal),
        ...pairs.map((pair, index) =>
          failOverAfter(pair, (index + 1) / (SHARDS.length + 1), progress, signal),
        ),
      ]);
    },
    stop: async () => {
      await Promise.all(instances.map((instance) => instance.kill()));
      await Promise.all(databases.map((database) => database.end()));
      await connection.close();
      await harness.stop();
      await Promise.all([...nats.map((node) => node.kill('SIGKILL')), ...pairs.map((pair) => pair.stop())]);
    },
  };
}

async function startInstances(
  harness: Harness,
  natsUrls: string,
  pairs: readonly PostgresPairServers[],
): Promise<ServiceInstance[]> {
  const bundle = await buildService('sparks');
  const started = pairs.map(async ({ settings }, shard) => {
    const environment = await harness.environment('sparks', {
      LOG_LEVEL: 'silent',
      NATS_URL: natsUrls,
      NATS_STREAM_REPLICAS: '3',
      SHARDS: SHARDS.join(),
      SHARD: String(shard),
      ...settings,
    });
    await migrateService(bundle, environment);
    return Promise.all(Array.from({ length: INSTANCES_EACH }, () => startInstance(bundle, environment)));
  });
  return (await Promise.all(started)).flat();
}

/** Uses the server that accepts writes, and waits for it. */
async function openDatabase({
  settings,
}: PostgresPairServers): Promise<RaceDatabase & { end(): Promise<void> }> {
  const { DATABASE_URL: databaseUrl, DATABASE_SCHEMA: schema } = settings;
  const config = databaseConfigOf({ databaseUrl, schema } as Parameters<typeof databaseConfigOf>[0]);
  const source = await createDataSource(config, { migrations: [] }).initialize();
  return {
    query: async (text) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const answer = (await source.query(text)) as unknown;
          return Array.isArray(answer) ? answer : [];
        } catch (error) {
          if (attempt === RETRIES_MAX) throw error;
          await delay(RETRY_MS);
        }
      }
    },
    end: () => source.destroy(),
  };
}

async function crashInTurn(nodes: readonly TestServer[], signal: AbortSignal): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    await delay(NATS_FAULT_EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const node = nodes[turn % nodes.length] as TestServer;
    await node.kill('SIGKILL');
    await node.restart();
  }
}

async function failOverAfter(
  pair: PostgresPairServers,
  share: number,
  progress: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (progress() < share && !signal.aborted) await delay(RETRY_MS);
  await pair.failOver();
}

/** `npm run races -- cluster`. */
export const clusterRace: Race = {
  countDefault: 10_000,
  run: (count, reportProgress) => runAndSummarize({ site: startClusters, count }, reportProgress),
};
