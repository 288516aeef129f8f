import { PrivateServers, sharedServersOfRun } from '../../../../tools/test/servers.mjs';
import type { RunningServer } from '../../../../tools/test/servers.mjs';

/**
 * A server of this spec file's own, on a free port: `url`, `pid` (0 while it does not run), `stop()`,
 * `kill(signal)`, `pause()` and `resume()` (SIGSTOP, SIGCONT to it and its children), `restart()` with the same port
 * and data. Stop it in `afterAll`; the end of the run stops it otherwise.
 */
export type TestServer = Pick<
  RunningServer,
  'url' | 'pid' | 'stop' | 'kill' | 'pause' | 'resume' | 'restart'
>;

function servers(): PrivateServers {
  return new PrivateServers(sharedServersOfRun().dir);
}

/** NATS with JetStream: streams are named for the product, so every spec file that uses it needs its own. */
export function startNats(): Promise<TestServer> {
  return servers().startNats();
}

/** Redis with its data on disk, for specs that kill it. Others use `sharedServers().redisUrl`. */
export function startRedis(): Promise<TestServer> {
  return servers().startRedis();
}

/** PostgreSQL (superuser's URL, half a second), for specs that kill it. Others use `testSchema`. */
export function startPostgres(): Promise<TestServer> {
  return servers().startPostgres();
}

/** The KMS emulator with master keys of its own, for specs that break it. Others use `sharedServers().kmsUrl`. */
export function startKms(): Promise<TestServer> {
  return servers().startKms();
}
