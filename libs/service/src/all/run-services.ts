import { unknownSettingsOfAll } from '@vaultsvc/config';
import type { ServiceDefinition } from '../define-service.js';
import { nameUnknownSettings } from '../run-service.js';
import { runUntilSignal } from '../run-until-signal.js';
import { loadConfigs } from './load-configs.js';
import { startServices } from './start-services.js';

/**
 * The whole `main.ts` of a program with several services: as `runService` of each, in one process.
 * @param definitions callers before the called: the order in which they stop
 * @param defaults of settings, instead of those of the classes
 */
export function runServices(
  name: string,
  definitions: readonly ServiceDefinition[],
  defaults: Readonly<Record<string, string>>,
): Promise<void> {
  return runUntilSignal(name, async () => {
    const running = await startServices(name, loadConfigs(definitions, undefined, defaults));
    nameUnknownSettings(running.service.logger, unknownSettingsOfAll());
    return running;
  });
}
