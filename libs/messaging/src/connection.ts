import { readFile } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import type { ServiceConfig } from '@vaultsvc/config';

const RECONNECT_WAIT_MS = 250;

/**
 * One connection per process, reconnecting for ever: NATS may restart under a running service. The inbox
 * prefix is the service's own, so that permissions can keep others from reading its answers.
 */
export async function connectNats(config: ServiceConfig, service: string): Promise<NatsConnection> {
  const connection = await connect({
    servers: config.NATS_URL.split(','),
    name: service,
    inboxPrefix: inboxPrefix(service),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    ignoreAuthErrorAbort: true, // credentials may be wrong for the minute in which they are rotated
    noAsyncTraces: true, // else each request captures two stacks in case it fails: half the cost of a publish
    ...(config.NATS_CREDENTIALS_FILE && {
      authenticator: credsAuthenticator(await readFile(config.NATS_CREDENTIALS_FILE)),
    }),
  });
  void logStatus(connection);
  return connection;
}

/** Where answers to this service go. */
export function inboxPrefix(service: string): string {
  return `_INBOX.${service}`;
}

async function logStatus(connection: NatsConnection): Promise<void> {
  const logger = new Logger('nats');
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect' || status.type === 'error') {
      logger.warn({ msg: 'connection status', status: status.type });
    }
  }
}
