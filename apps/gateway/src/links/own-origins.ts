import { ConfigError } from '@vaultsvc/config';
import type { GatewayConfig } from '../config.js';

/**
 * Link pages run a script beside secrets of strangers: never on the origin of the API, and a code works on one origin.
 * @throws ConfigError
 */
export function assertOwnOrigins({ API_ORIGIN, LINK_ORIGIN, FILES_ORIGIN }: GatewayConfig): void {
  if (new Set([API_ORIGIN, LINK_ORIGIN, FILES_ORIGIN]).size < 3)
    throw new ConfigError(['API_ORIGIN, LINK_ORIGIN and FILES_ORIGIN must be three different origins.']);
}
