// What a bench of Forge runs on: PostgreSQL, NATS and Redis of its own, all durable, and Forge as it ships.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureBinaries } from '../../stack/servers/install.mjs';
import { natsPlan } from '../../stack/servers/nats.mjs';
import { freePort } from '../../stack/servers/ports.mjs';
import { createCluster, postgresPlan } from '../../stack/servers/postgres.mjs';
import { probeHttp } from '../../stack/servers/probes.mjs';
import { redisPlan } from '../../stack/servers/redis.mjs';
import { provisionSchema } from '../../stack/servers/schema.mjs';
import { nodeFlags } from '../../stack/services.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const PLENTY = '1000000';

/** @param {import('./place.mjs').Place} place */
export async function startInfrastructure(place) {
  const binaries = await ensureBinaries();
  const planned = async (name) => ({
    binaries,
    dataDir: join(place.folder(name), 'data'),
    logPath: join(place.dir, `${name}.log`),
    port: await freePort(),
    childrenDir: place.childrenDir,
    isDurable: true,
  });
  const postgres = { ...(await planned('postgres')), password: randomBytes(18).toString('base64url') };
  await createCluster(postgres);
  const [database, nats, redis] = await Promise.all([
    place.start(postgresPlan(postgres)),
    place.start(natsPlan(await planned('nats'))),
    place.start(redisPlan(await planned('redis'))),
  ]);
  return { database, nats, redis };
}

/** Builds Forge and brings its schema up to date; gives what every copy of it is started with. */
export async function prepareForge(place, { database, nats, redis }) {
  const bundle = join(place.dir, 'forge');
  await place.run([at('../../races/build-service.mjs'), 'forge', bundle]);
  const contextKey = randomBytes(32);
  const environment = {
    PROFILE: 'local',
    LOG_LEVEL: 'warn',
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    DATABASE_URL: await makeSchema(database.url),
    DATABASE_SCHEMA: 'forge',
    CONTEXT_KEY: contextKey.toString('base64'),
    LINK_ORIGIN: 'http://127.0.0.1:8082',
    FILES_ORIGIN: 'http://127.0.0.1:8083',
    REQUIRE_HTTPS: 'false',
    RATE_LIMIT_PER_IP_PER_MINUTE: PLENTY,
    SHUTDOWN_DELAY_MS: '0',
    OBJECTS_DIR: place.folder('objects'),
  };
  await place.run([join(bundle, 'migrate.js')], environment);
  return { bundle, contextKey, environment };
}

/** One copy of Forge, ready. It keeps no state, so copies share database and store. */
export async function startForge(place, { bundle, environment }, settings = {}) {
  const [port, privatePort] = [await freePort(), await freePort()];
  return place.start({
    name: 'forge',
    url: `http://127.0.0.1:${port}`,
    command: process.execPath,
    args: [...nodeFlags, join(bundle, 'main.js')],
    env: { ...environment, HTTP_PORT: String(port), PRIVATE_PORT: String(privatePort), ...settings },
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`http://127.0.0.1:${privatePort}/readyz`),
    logPath: join(place.dir, `forge-${port}.log`),
    childrenDir: place.childrenDir,
  });
}

/** The plain tus server, which keeps its files in a folder of its own. */
export async function startPlain(place) {
  const port = await freePort();
  return place.start({
    name: 'plain',
    url: `http://127.0.0.1:${port}`,
    command: process.execPath,
    args: [at('./plain-server.mjs'), String(port), place.folder('plain')],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`http://127.0.0.1:${port}/readyz`),
    logPath: join(place.dir, 'plain.log'),
    childrenDir: place.childrenDir,
  });
}

async function makeSchema(adminUrl) {
  const password = randomBytes(18).toString('base64url');
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await provisionSchema(admin, { role: 'forge', schema: 'forge', password });
  } finally {
    await admin.end();
  }
  const url = new URL(adminUrl);
  url.username = 'forge';
  url.password = password;
  return url.href;
}
