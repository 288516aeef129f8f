import {
  loadServiceConfig,
  unknownSettings,
  type ServiceConfig,
  type UnknownSetting,
} from '@vaultsvc/config';
import type { Logger } from 'pino';
import type { ServiceDefinition } from './define-service.js';
import { createLogger } from './logger.js';
import { runUntilSignal } from './run-until-signal.js';
import { startService } from './start-service.js';

/** The whole `main.ts` of a service: read settings, start, stop on SIGTERM or SIGINT, exit. */
export function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  return runUntilSignal(definition.name, async () => {
    const config = loadServiceConfig(definition.name, definition.config);
    nameUnknownSettings(createLogger(definition.name, config.LOG_LEVEL), unknownSettings());
    return { service: await startService(definition, config), times: config };
  });
}

/** A misspelt setting would have no effect, and its service the default. */
export function nameUnknownSettings(logger: Logger, unknown: readonly UnknownSetting[]): void {
  for (const { name, nearest } of unknown)
    logger.warn({ msg: `unknown setting ${name}: did you mean ${nearest}?` });
}
