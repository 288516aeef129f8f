import { isProtectedUrl } from '@vaultsvc/config/urls';
import { UsageError } from '../failures.js';

/**
 * The origin of an API, without a path. Credentials are sent in clear text without TLS, so that only this machine may be
 * addressed by http.
 * @throws UsageError
 */
export function apiOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError('The URL of the API must look like https://api.example.com.');
  if (!isProtectedUrl(url))
    throw new UsageError('The URL of the API must begin with https://: http would reveal the credentials.');
  return url.origin;
}
