import { currentService, runAsService } from '@vaultsvc/telemetry';
import type { Logger as Pino } from 'pino';
import { ForcedShutdown } from '../forced-shutdown.js';
import { hostService, type HostedService } from '../host-service.js';
import { createLogger, NestLogger } from '../logger.js';
import { PrivateServer } from '../private-server.js';
import type { RunningProcess } from '../run-until-signal.js';
import { traceAsConfigured } from '../trace-as-configured.js';
import type { ConfiguredService } from './load-configs.js';

/**
 * Starts services in this process, at once, with one private port. They share nothing else of ours: each has its own connections, and
 * calls the others over NATS. `stop` stops one after the other in the order in which they are given, callers before the called.
 * @param name of the process in its own log lines and in traces
 */
export async function startServices(
  name: string,
  configured: readonly ConfiguredService[],
): Promise<RunningProcess> {
  const [first] = configured;
  if (!first) throw new Error('there is no service to start');
  const logger = createLogger(name, first.config.LOG_LEVEL);
  const endTracing = await traceAsConfigured(name, first.config);
  const services = await hostAll(configured, logger);
  const server = new PrivateServer(services.map(({ readiness }) => readiness));
  await server.listen(first.config.PRIVATE_PORT, first.config.PRIVATE_HOST);
  let stopping: Promise<void> | undefined;
  return {
    service: {
      logger,
      leave: () => server.leave(),
      stop: () => (stopping ??= stop(services, server, endTracing)),
      breakOff: async () => {
        await Promise.all(services.map(({ context }) => context.get(ForcedShutdown).run()));
      },
    },
    times: {
      SHUTDOWN_DELAY_MS: Math.max(...configured.map(({ config }) => config.SHUTDOWN_DELAY_MS)),
      SHUTDOWN_GRACE_MS: Math.max(...configured.map(({ config }) => config.SHUTDOWN_GRACE_MS)),
    },
  };
}

/** Nest has one logger for a process; a line is written by that of the service whose code runs. */
function hostAll(configured: readonly ConfiguredService[], logger: Pino): Promise<HostedService[]> {
  const loggers = new Map(
    configured.map(({ definition, config }) => [
      definition.name,
      createLogger(definition.name, config.LOG_LEVEL),
    ]),
  );
  const nestLogger = new NestLogger(() => loggers.get(currentService() ?? '') ?? logger);
  const starts = configured.map(({ definition, config }) =>
    runAsService(definition.name, () => hostService(definition, config, nestLogger)),
  );
  return Promise.all(starts);
}

async function stop(
  services: readonly HostedService[],
  server: PrivateServer,
  endTracing: () => Promise<void>,
): Promise<void> {
  server.leave();
  for (const { context } of services) await context.close();
  await server.close();
  await endTracing();
}
