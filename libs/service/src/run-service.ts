import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, loadServiceConfig, unknownSettings, type ServiceConfig } from '@vaultsvc/config';
import { UnsuitableRole } from '@vaultsvc/database';
import { NatsUnusable } from '@vaultsvc/messaging';
import type { ServiceDefinition } from './define-service.js';
import { createLogger } from './logger.js';
import { startService, type RunningService } from './start-service.js';

/** The whole `main.ts` of a service: read settings, start, stop on SIGTERM or SIGINT, exit. */
export async function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const began = Date.now();
  try {
    const config = loadServiceConfig(definition.name, definition.config);
    nameUnknownSettings(definition.name, config);
    const service = await startService(definition, config);
    stopOnSignals(service, config);
    service.logger.info({ msg: 'ready', startMs: Date.now() - began });
  } catch (error) {
    process.stderr.write(`${definition.name} cannot start. ${textOf(error)}\n`);
    process.exit(1);
  }
}

/** A stack would hide what the operator has to do. */
const OPERATORS_ERRORS = [ConfigError, NatsUnusable, UnsuitableRole];

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOperators = OPERATORS_ERRORS.some((type) => error instanceof type);
  return isOperators ? error.message : (error.stack ?? error.message);
}

/** A misspelt setting would have no effect, and its service the default. */
function nameUnknownSettings(service: string, { LOG_LEVEL }: ServiceConfig): void {
  const logger = createLogger(service, LOG_LEVEL);
  for (const { name, nearest } of unknownSettings())
    logger.warn({ msg: `unknown setting ${name}: did you mean ${nearest}?` });
}

type ShutdownTimes = Pick<ServiceConfig, 'SHUTDOWN_DELAY_MS' | 'SHUTDOWN_GRACE_MS'>;

/**
 * Every further SIGTERM is ignored: some supervisors send two, and the second one would end the process before it has drained. A second
 * SIGINT, of somebody at a terminal who does not want to wait, ends it at once.
 */
function stopOnSignals(service: RunningService, times: ShutdownTimes): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    service.logger.info({ msg: 'stopping', signal });
    const breakOff = () => void service.breakOff().finally(() => process.exit(1));
    setTimeout(breakOff, times.SHUTDOWN_DELAY_MS + times.SHUTDOWN_GRACE_MS).unref();
    leaveAndStop(service, times.SHUTDOWN_DELAY_MS).then(
      () => process.exit(0),
      (error: unknown) => {
        service.logger.error({ msg: 'could not stop cleanly', err: error });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** Requests that a load balancer sends before it notices are still answered. */
async function leaveAndStop(service: RunningService, delayMs: number): Promise<void> {
  service.leave();
  if (delayMs > 0) await delay(delayMs);
  await service.stop();
}
