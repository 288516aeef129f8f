import { auth } from '@vaultsvc/app-auth/service-definition';
import { forge } from '@vaultsvc/app-forge/service-definition';
import { gateway } from '@vaultsvc/app-gateway/service-definition';
import { integrations } from '@vaultsvc/app-integrations/service-definition';
import { notify } from '@vaultsvc/app-notify/service-definition';
import { reporting } from '@vaultsvc/app-reporting/service-definition';
import { sparks } from '@vaultsvc/app-sparks/service-definition';
import { vaults } from '@vaultsvc/app-vaults/service-definition';
import type { ServiceDefinition } from '@vaultsvc/service';

/**
 * The eight services in the order in which they stop: those that serve strangers first, then callers before the called. vaults and
 * forge call each other; transfers in progress need vaults.
 */
export const services = [
  gateway,
  integrations,
  notify,
  forge,
  vaults,
  sparks,
  auth,
  reporting,
] as readonly ServiceDefinition[];
