import type { RunningService } from '@vaultsvc/service';
import { urlOf, type Harness } from '@vaultsvc/testing/harness';
import { forge } from '../../../apps/forge/src/service-definition.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';

/** What moves the bytes of files and what counts them. */
export interface Transfers {
  readonly forge: RunningService;
  readonly reporting: RunningService;
  /** Of Forge, without a slash at the end: the `FORGE_ORIGIN` of whoever mints ISTKs. */
  readonly forgeUrl: string;
}

/** Starts Forge and reporting beside the service of a spec. */
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
