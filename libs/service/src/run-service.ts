import { ConfigError, loadConfig, type ServiceConfig } from '@vaultsvc/config';
import type { ServiceDefinition } from './define-service.js';
import { startService, type RunningService } from './start-service.js';

/** The whole `main.ts` of a service: read settings, start, stop on SIGTERM or SIGINT, exit. */
export async function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const began = Date.now();
  try {
    const config = loadConfig(definition.config);
    const service = await startService(definition, config);
    stopOnSignals(service, config.SHUTDOWN_GRACE_MS);
    service.logger.info({ msg: 'ready', startMs: Date.now() - began, version: config.BUILD_VERSION });
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

function stopOnSignals(service: RunningService, graceMs: number): void {
  const stop = (signal: string) => {
    service.logger.info({ msg: 'stopping', signal });
    setTimeout(() => process.exit(1), graceMs).unref();
    service.stop().then(
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
