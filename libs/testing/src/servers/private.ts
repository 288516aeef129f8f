import {
  natsUsersOf,
  PrivateServers,
  sharedServersOfRun,
  untilStreamsAreKept,
} from '../../../../tools/test/servers.ts';
import type { RunningServer } from '../../../../tools/test/servers.ts';

/**
 * A server of one spec file on a free port: `url`, `pid` (0 while it does not run), `stop()`, `kill(signal)`, `pause()` and
 * `resume()` (SIGSTOP and SIGCONT to it and its children), `restart()` with the same port and data. `afterAll` stops it;
 * otherwise the end of the run does.
 */
export type TestServer = Pick<
  RunningServer,
  'url' | 'pid' | 'stop' | 'kill' | 'pause' | 'resume' | 'restart'
>;

function servers(): PrivateServers {
  return new PrivateServers(sharedServersOfRun().dir);
}

/** NATS with JetStream and the users of a deployment. Stream names are fixed, so each spec file needs a server of its own. */
export function startNats(): Promise<TestServer> {
  return servers().startNats(natsUsersOf(sharedServersOfRun().wire));
}

/** Three servers of NATS, with the users of a deployment. Resolves once they keep streams of three replicas. */
export async function startNatsCluster(): Promise<readonly TestServer[]> {
  const { wire } = sharedServersOfRun();
  const nodes = await servers().startNatsCluster(natsUsersOf(wire));
  const { user: username, password } = wire.inspector;
  await untilStreamsAreKept(Object.assign(new URL(nodes[0]?.url ?? ''), { username, password }).href);
  return nodes;
}

/** Redis that persists to disk, for specs that kill it. Others use `sharedServers().redisUrl`. */
export function startRedis(): Promise<TestServer> {
  return servers().startRedis();
}

/** PostgreSQL with the URL of its superuser, for specs that kill it. It starts in half a second. Others use `testSchema`. */
export function startPostgres(): Promise<TestServer> {
  return servers().startPostgres();
}

/** A primary of Redis with a replica, and a Sentinel that replaces it when it is silent for a second. */
export function startRedisWithSentinel(): Promise<Record<'primary' | 'replica' | 'sentinel', TestServer>> {
  return servers().startRedisWithSentinel();
}

/** PgBouncer in transaction mode. `user`: the role of all its connections to PostgreSQL. */
export function startPgBouncer(postgresUrl: string, user: string): Promise<TestServer> {
  return servers().startPgBouncer(Number(new URL(postgresUrl).port), user);
}

/** A KMS emulator with its own master keys, for specs that break it. Others use `sharedServers().kmsUrl`. */
export function startKms(): Promise<TestServer> {
  return servers().startKms();
}

/** An emulator of the transit engine of Vault and OpenBao with its own keys. */
export function startTransit(): Promise<TestServer> {
  return servers().startTransit();
}
