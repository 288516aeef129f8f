import { unknownSettingsOfAll } from '@vaultsvc/config';
import type { ServiceDefinition } from '../define-service.js';
import { nameUnknownSettings } from '../run-service.js';
import { runUntilSignal } from '../run-until-signal.js';
import { loadConfigs } from './load-configs.js';
import { startServices } from './start-services.js';

/**
 * The whole `main.ts` of a program with several services: as `runService` of each, in one process.
 * @param definitions callers before the called: the order in which they stop
 */
export function runServices(
  name: string,
  definitions: readonly ServiceDefinition[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  return runUntilSignal(name, async () => {
    const running = await startServices(name, loadConfigs(definitions, environment));
    nameUnknownSettings(running.service.logger, unknownSettingsOfAll(environment));
    return running;
  });
}
