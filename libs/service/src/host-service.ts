import type { INestApplicationContext } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { buildInfo, type ServiceConfig } from '@vaultsvc/config';
import { Database, statement } from '@vaultsvc/database';
import { NATS, StartConditions } from '@vaultsvc/messaging';
import { measureProcess, showBuild } from '@vaultsvc/telemetry';
import type { ServiceDefinition } from './define-service.js';
import type { NestLogger } from './logger.js';
import { startMicroservice } from './nest-hosts.js';
import { type ReadinessCheck, ReadinessChecks, type ServiceReadiness } from './private-server.js';
import { ServiceModule } from './service.module.js';

/** A service that serves, without the private port. */
export interface HostedService {
  readonly context: INestApplicationContext;
  readonly readiness: ServiceReadiness;
}

/** Creates the Nest application of a service, with its connections, handlers and consumers. */
export async function hostService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  logger: NestLogger,
): Promise<HostedService> {
  const { name, host, storage, readiness } = definition;
  measureProcess();
  showBuild(name, buildInfo());
  const root = ServiceModule.of(definition, config);
  const options = { logger, abortOnError: false };
  const context = host ? await host(root, config, options) : await startMicroservice(root, options);
  const checks = [...standardChecks(context, storage !== undefined), ...context.get(ReadinessChecks).checks];
  const waitingFor = () => context.get(StartConditions).waitingFor;
  return { context, readiness: { service: name, checks, rule: readiness, waitingFor } };
}

const ping = statement('readiness.ping', 'SELECT 1');

function standardChecks(context: INestApplicationContext, isStateful: boolean): ReadinessCheck[] {
  const nats = context.get<NatsConnection>(NATS);
  return [
    { name: 'nats', check: () => nats.flush() },
    ...(isStateful
      ? [{ name: 'postgres', check: async () => void (await context.get(Database).query(ping)) }]
      : []),
  ];
}
