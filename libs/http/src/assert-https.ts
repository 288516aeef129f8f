import { isLoopback, type Rule } from '@vaultsvc/config';
import { AppError } from '@vaultsvc/contracts';
import type { Caller } from './client-address.js';

/**
 * Throws HTTPS_REQUIRED for a request over plain HTTP. TLS ends at a trusted proxy, which reports the scheme. Plain HTTP
 * is refused, never redirected: by then the credential has already travelled in clear text (OPEN-01).
 */
export function assertHttps({ scheme }: Caller, isRequired: boolean): void {
  const isRefused = isRequired ? scheme !== 'https' : scheme === 'http';
  if (isRefused) throw new AppError('HTTPS_REQUIRED');
}

/** The rule of REQUIRE_HTTPS: without it secrets would travel in clear text to other hosts (OPEN-01). */
export const plainHttpOnLoopback: Rule<boolean> = (isRequired, { PROFILE, HTTP_HOST }) =>
  isRequired || (PROFILE === 'local' && isLoopback(String(HTTP_HOST)))
    ? undefined
    : 'may be false only with PROFILE=local and HTTP_HOST on loopback';
