import type { RunningService } from '@vaultsvc/service';
import { sparks } from '../../../../apps/sparks/src/sparks.service.js';
import type { Harness } from '../harness/index.js';

/** Starts the service of links beside the service of a spec. */
export function startLinks(harness: Harness, settings: Record<string, string> = {}): Promise<RunningService> {
  return harness.start(sparks, settings);
}
