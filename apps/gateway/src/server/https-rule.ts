import { AppError } from '@vaultsvc/contracts';
import type { Caller } from '@vaultsvc/http';

/**
 * TLS ends at a proxy in front of us, so HTTPS is what a trusted proxy says it was. Plain HTTP is refused, never
 * redirected: by then the credential has already travelled in clear (OPEN-01).
 */
export function assertHttps({ scheme }: Caller, isRequired: boolean): void {
  const isRefused = isRequired ? scheme !== 'https' : scheme === 'http';
  if (isRefused) throw new AppError('HTTPS_REQUIRED');
}
