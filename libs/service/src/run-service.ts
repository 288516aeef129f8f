import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, loadConfig, type ServiceConfig } from '@vaultsvc/config';
import type { ServiceDefinition } from './define-service.js';
import { startService, type RunningService } from './start-service.js';

/** The whole `main.ts` of a service: read settings, start, stop on SIGTERM or SIGINT, exit. */
export async function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const began = Date.now();
  try {
    const config = loadConfig(definition.config);
    const service = await startService(definition, config);
    stopOnSignals(service, config);
    service.logger.info({ msg: 'ready', startMs: Date.now() - began });
  } catch (error) {
    const text =
      error instanceof ConfigError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${definition.name} cannot start. ${text}\n`);
    process.exit(1);
  }
}

type ShutdownTimes = Pick<ServiceConfig, 'SHUTDOWN_DELAY_MS' | 'SHUTDOWN_GRACE_MS'>;

function stopOnSignals(service: RunningService, times: ShutdownTimes): void {
  const stop = (signal: string) => {
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
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** Requests that a load balancer sends before it notices are still answered. */
async function leaveAndStop(service: RunningService, delayMs: number): Promise<void> {
  service.leave();
  if (delayMs > 0) await delay(delayMs);
  await service.stop();
}
