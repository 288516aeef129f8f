// The servers of the Forge benchmark: durable PostgreSQL, NATS and Redis, and Forge bundled as for deployment.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { BenchEnvironment } from './bench-environment.ts';
import { completeKeys, keySettings, type Keys } from '../../provision/keys.ts';
import { readTopology } from '../../provision/topology.ts';
import { ensureBinaries } from '../../stack/servers/install.ts';
import { natsPlan } from '../../stack/servers/nats.ts';
import { freePort } from '../../stack/servers/ports.ts';
import { createCluster, postgresPlan } from '../../stack/servers/postgres.ts';
import { probeHttp } from '../../stack/servers/probes.ts';
import { redisUsers } from '../../stack/servers/redis-access.ts';
import { redisPlan, redisUrl } from '../../stack/servers/redis.ts';
import { ownerOf, provisionSchema } from '../../stack/servers/schema.ts';
import type { Server } from '../../stack/servers/server.ts';
import { nodeFlags } from '../../stack/services.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const UNLIMITED = '1000000';

export interface Infrastructure {
  database: Server;
  nats: Server;
  redisUrl: string;
  keys: Keys;
}

/** Built, with the environment of its instances. */
export interface PreparedForge {
  bundle: string;
  environment: Record<string, string>;
}

export async function startInfrastructure(bench: BenchEnvironment): Promise<Infrastructure> {
  const topology = readTopology();
  const keys = completeKeys(topology);
  const binaries = await ensureBinaries();
  const planned = async (name: string) => ({
    binaries,
    dataDir: join(bench.folder(name), 'data'),
    logPath: join(bench.dir, `${name}.log`),
    port: await freePort(),
    childrenDir: bench.childrenDir,
    isDurable: true,
  });
  const postgres = { ...(await planned('postgres')), password: randomBytes(18).toString('base64url') };
  await createCluster(postgres);
  const passwords = Object.fromEntries(
    redisUsers.map((user): [string, string] => [user, randomBytes(18).toString('base64url')]),
  );
  const [database, nats, redis] = await Promise.all([
    bench.start(postgresPlan(postgres)),
    bench.start(natsPlan({ ...(await planned('nats')), users: { topology, keys, others: [] } })),
    bench.start(redisPlan({ ...(await planned('redis')), passwords })),
  ]);
  const redisOfForge = redisUrl(Number(new URL(redis.url).port), 'forge', passwords.forge ?? '');
  return { database, nats, redisUrl: redisOfForge, keys };
}

/**
 * Builds Forge and runs its migrations. Returns the bundle and environment of its instances.
 * @param checkout the folder whose Forge is built
 */
export async function prepareForge(
  bench: BenchEnvironment,
  { database, nats, redisUrl: forgeRedisUrl, keys }: Infrastructure,
  checkout: string = at('../../..'),
): Promise<PreparedForge> {
  const bundle = join(bench.dir, 'forge');
  await bench.run([join(checkout, 'tools/races/build-service.ts'), 'forge', bundle]);
  const roleUrl = await makeSchema(database.url);
  const environment = {
    PROFILE: 'local',
    LOG_LEVEL: 'warn',
    NATS_URL: nats.url,
    REDIS_URL: forgeRedisUrl,
    DATABASE_URL: roleUrl('forge'),
    DATABASE_SCHEMA: 'forge',
    ...keySettings(readTopology(), keys, 'forge'),
    API_ORIGIN: 'http://127.0.0.1:8080',
    LINK_ORIGIN: 'http://127.0.0.1:8082',
    FILES_ORIGIN: 'http://127.0.0.1:8083',
    REQUIRE_HTTPS: 'false',
    RATE_LIMIT_PER_IP_PER_MINUTE: UNLIMITED,
    SHUTDOWN_DELAY_MS: '0',
    OBJECTS_DIR: bench.folder('objects'),
  };
  await bench.run([join(bundle, 'migrate.js')], { ...environment, DATABASE_URL: roleUrl(ownerOf('forge')) });
  return { bundle, environment };
}

/** Starts an instance of Forge. Instances are stateless and share the database and the object store. */
export async function startForge(
  bench: BenchEnvironment,
  { bundle, environment }: PreparedForge,
  settings: Record<string, string> = {},
) {
  const [port, privatePort] = [await freePort(), await freePort()];
  return bench.start({
    name: 'forge',
    url: `http://127.0.0.1:${port}`,
    command: process.execPath,
    args: [...nodeFlags, join(bundle, 'main.js')],
    env: { ...environment, HTTP_PORT: String(port), PRIVATE_PORT: String(privatePort), ...settings },
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`http://127.0.0.1:${privatePort}/readyz`),
    logPath: join(bench.dir, `forge-${port}.log`),
    childrenDir: bench.childrenDir,
  });
}

/** Starts the plain tus server, which stores its files in a separate folder. */
export async function startPlain(bench: BenchEnvironment) {
  const port = await freePort();
  return bench.start({
    name: 'plain',
    url: `http://127.0.0.1:${port}`,
    command: process.execPath,
    args: [at('./plain-server.ts'), String(port), bench.folder('plain')],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`http://127.0.0.1:${port}/readyz`),
    logPath: join(bench.dir, 'plain.log'),
    childrenDir: bench.childrenDir,
  });
}

/** Returns the URL of each role of the schema. */
async function makeSchema(adminUrl: string) {
  const password = randomBytes(18).toString('base64url');
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await provisionSchema(admin, { role: 'forge', schema: 'forge', password, ownerPassword: password });
  } finally {
    await admin.end();
  }
  return (role: string) => Object.assign(new URL(adminUrl), { username: role, password }).href;
}
