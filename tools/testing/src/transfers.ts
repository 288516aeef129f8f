import type { RunningService } from '@vaultsvc/service';
import { urlOf, type Harness } from '@vaultsvc/testing/harness';
import { forge } from '../../../apps/forge/src/service-definition.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';

/** The services that transfer files and count their bytes. */
export interface Transfers {
  readonly forge: RunningService;
  readonly reporting: RunningService;
  /** Origin of Forge, without a slash at the end: the `FORGE_ORIGIN` of services that mint ISTKs. */
  readonly forgeUrl: string;
}

/** Starts Forge and reporting in a harness. */
export async function startTransfers(
  harness: Harness,
  settings: Record<string, string> = {},
): Promise<Transfers> {
  const [forgeService, reportingService] = await Promise.all([
    harness.start(forge, { HTTP_PORT: '0', ...settings }),
    harness.start(reporting, settings),
  ]);
  return { forge: forgeService, reporting: reportingService, forgeUrl: urlOf(forgeService) };
}
