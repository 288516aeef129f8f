import type { INestApplicationContext } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { buildInfo, type ServiceConfig } from '@vaultsvc/config';
import { Database, statement } from '@vaultsvc/database';
import { NATS, StartConditions } from '@vaultsvc/messaging';
import { measureProcess, showBuild, startTracing } from '@vaultsvc/telemetry';
import type { Logger as Pino } from 'pino';
import 'reflect-metadata';
import type { ServiceDefinition } from './define-service.js';
import { ForcedShutdown } from './forced-shutdown.js';
import { createLogger, NestLogger } from './logger.js';
import { startMicroservice } from './nest-hosts.js';
import { PrivateServer, type ReadinessCheck, ReadinessChecks } from './private-server.js';
import { ServiceModule } from './service.module.js';

/** A running service. `stop` finishes running work, then closes all connections; it is safe to call twice. */
export interface RunningService {
  readonly context: INestApplicationContext;
  readonly logger: Pino;
  /** Turns `/readyz` to 503 and keeps serving. */
  leave(): void;
  stop(): Promise<void>;
  /** Runs the `ForcedShutdown` steps within a second, for a process that exits before `stop` has finished. */
  breakOff(): Promise<void>;
}

/** Starts a service in this process: settings checked, database and NATS connected, handlers listening. */
export async function startService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  config: C,
): Promise<RunningService> {
  const logger = createLogger(definition.name, config.LOG_LEVEL);
  measureProcess();
  showBuild(definition.name, buildInfo());
  const endTracing = await traceAsConfigured(definition.name, config);
  const { host } = definition;
  const root = ServiceModule.of(definition, config);
  const options = { logger: new NestLogger(logger), abortOnError: false };
  const context = host ? await host(root, config, options) : await startMicroservice(root, options);
  const checks = [
    ...standardChecks(context, definition.storage !== undefined),
    ...context.get(ReadinessChecks).checks,
  ];
  const server = new PrivateServer(definition.name, checks, {
    rule: definition.readiness,
    waitingFor: () => context.get(StartConditions).waitingFor,
  });
  await server.listen(config.PRIVATE_PORT, config.PRIVATE_HOST).catch(async (error: unknown) => {
    await context.close();
    await endTracing();
    throw error;
  });
  let stopping: Promise<void> | undefined;
  return {
    context,
    logger,
    leave: () => server.leave(),
    stop: () => (stopping ??= stop(context, server, endTracing)),
    breakOff: () => context.get(ForcedShutdown).run(),
  };
}

/** Returns what ends tracing; nothing is loaded without an endpoint. */
async function traceAsConfigured(service: string, config: ServiceConfig): Promise<() => Promise<void>> {
  const { TRACES_ENDPOINT: endpoint, TRACES_RATIO: ratio, TRACES_AUTHORIZATION: authorization } = config;
  if (endpoint === '') return () => Promise.resolve();
  const { version } = buildInfo();
  return startTracing({ service, version, endpoint, ratio, authorization: authorization.reveal() });
}

async function stop(
  context: INestApplicationContext,
  server: PrivateServer,
  endTracing: () => Promise<void>,
): Promise<void> {
  server.leave();
  await context.close();
  await server.close();
  await endTracing();
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
