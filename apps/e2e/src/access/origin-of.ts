import type { PublicOperation } from '@vaultsvc/contracts';
import type { Platform } from '@vaultsvc/tools-testing/platform';

/** Where an operation is called: on the origin of link pages, or on that of the API (OPEN-22). */
export function originOf({ url, linkUrl }: Platform, { http }: PublicOperation): string {
  return http.surface === 'links' ? linkUrl : url;
}
