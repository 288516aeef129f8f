import { ConfigError } from '@vaultsvc/config';
import { AppError } from '@vaultsvc/contracts';
import type { Caller } from './client-address.js';
import { isLoopback } from './is-loopback.js';

/**
 * TLS ends at a proxy in front of us, so HTTPS is what a trusted proxy says it was. Plain HTTP is refused, never
 * redirected: by then the credential has already travelled in clear (OPEN-01).
 */
export function assertHttps({ scheme }: Caller, isRequired: boolean): void {
  const isRefused = isRequired ? scheme !== 'https' : scheme === 'http';
  if (isRefused) throw new AppError('HTTPS_REQUIRED');
}

interface HttpsSettings {
  readonly PROFILE: string;
  readonly REQUIRE_HTTPS: boolean;
  readonly HTTP_HOST: string;
}

/** Plain HTTP on an address that others can reach would send secrets in clear (OPEN-01). Throws ConfigError. */
export function assertHttpsSettings({ PROFILE, REQUIRE_HTTPS, HTTP_HOST }: HttpsSettings): void {
  if (REQUIRE_HTTPS || (PROFILE === 'local' && isLoopback(HTTP_HOST))) return;
  throw new ConfigError(['REQUIRE_HTTPS may be false only with PROFILE=local and HTTP_HOST on loopback.']);
}
