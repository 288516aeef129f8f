import { readFile } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import {
  connect,
  credsAuthenticator,
  type Authenticator,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { ServiceConfig } from '@vaultsvc/config';
import { Gauge } from 'prom-client';
import { guardSubscriptions } from './guarded-subscriptions.js';
import { lackOf, NatsUnusable, weaknessOf } from './nats-server.js';
import { nkeyLogin } from './nkey-login.js';

const RECONNECT_WAIT_MS = 250;
/** A server that is silent for three intervals is left for another one. Its own pings do the same with us (`npm run provision`). */
const PING_INTERVAL_MS = 2_000;
const PINGS_UNANSWERED_MAX = 2;

const up = new Gauge({
  name: 'vaultsvc_nats_up',
  help: 'Whether the connection of the service to NATS is open, by service.',
  labelNames: ['service'],
});

/**
 * Opens the NATS connection of this process. It reconnects without limit, because NATS may restart under a running service.
 * Each service has its own inbox prefix, so that subject permissions can keep other services from reading its replies.
 * @throws NatsUnusable naming the servers when there is no connection, or they lack what the services rely on
 */
export async function connectNats(config: ServiceConfig, service: string): Promise<NatsConnection> {
  const servers = config.NATS_URL.split(',').map((server) => server.trim());
  const isEncrypted = servers.some((server) => server.startsWith('tls://'));
  const refuse = (error: unknown): never => {
    throw new NatsUnusable(servers, error instanceof Error ? error.message : String(error), { cause: error });
  };
  const credentials = await credentialsOf(config).catch(refuse);
  const connection = await connect({
    servers,
    ...(isEncrypted && { tls: {} }), // the client ignores tls:// and speaks in clear with a server that offers no TLS
    name: service,
    inboxPrefix: inboxPrefix(service),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    ignoreAuthErrorAbort: true, // credentials may be wrong for the minute in which they are rotated
    noAsyncTraces: true, // otherwise each request captures two stack traces: half the cost of a publish
    ...credentials,
  }).catch(refuse);
  await assertUsable(connection, servers, config);
  guardSubscriptions(connection);
  up.set({ service }, 1);
  void followStatus(connection, service);
  return connection;
}

async function assertUsable(
  connection: NatsConnection,
  servers: readonly string[],
  { PROFILE }: ServiceConfig,
): Promise<void> {
  const { info } = connection;
  const lack = info && lackOf(info);
  if (lack) {
    await connection.close();
    throw new NatsUnusable(servers, lack);
  }
  const weakness = info && weaknessOf(info);
  if (weakness && PROFILE === 'production') new Logger('nats').warn({ msg: weakness });
}

async function credentialsOf({
  NATS_NKEY_SEED: seed,
  NATS_CREDENTIALS_FILE: file,
}: ServiceConfig): Promise<{ readonly authenticator?: Authenticator }> {
  if (file) return { authenticator: credsAuthenticator(await readFile(file)) };
  return seed.reveal() ? { authenticator: nkeyLogin(seed.reveal()) } : {};
}

/** The prefix of the inboxes that receive replies for this service. */
export function inboxPrefix(service: string): string {
  return `_INBOX.${service}`;
}

async function followStatus(connection: NatsConnection, service: string): Promise<void> {
  const logger = new Logger('nats');
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') up.set({ service }, 0);
    if (status.type === 'reconnect') up.set({ service }, 1);
    if (status.type === 'disconnect' || status.type === 'reconnect' || status.type === 'error') {
      const error = status.type === 'error' ? { err: status.error } : {};
      logger.warn({ msg: 'connection status', status: status.type, ...error });
    }
  }
  up.set({ service }, 0);
}
