import type { INestApplicationContext } from '@nestjs/common';
import type { ServiceConfig } from '@vaultsvc/config';
import type { Logger as Pino } from 'pino';
import 'reflect-metadata';
import type { ServiceDefinition } from './define-service.js';
import { ForcedShutdown } from './forced-shutdown.js';
import { hostService } from './host-service.js';
import { createLogger, NestLogger } from './logger.js';
import { PrivateServer } from './private-server.js';
import { traceAsConfigured } from './trace-as-configured.js';

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
  const endTracing = await traceAsConfigured(definition.name, config);
  const { context, readiness } = await hostService(definition, config, new NestLogger(() => logger));
  const server = new PrivateServer([readiness]);
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
