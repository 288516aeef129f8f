import type { LinkDomain } from '@vaultsvc/contracts';
import type { SparksConfig } from '../config.js';

/** What people open in a browser: durable shares are on an origin of their own (SHR-06). */
export function linkUrl(
  { LINK_ORIGIN, FILES_ORIGIN }: Pick<SparksConfig, 'LINK_ORIGIN' | 'FILES_ORIGIN'>,
  domain: LinkDomain,
  code: string,
): string {
  return `${domain === 'files' ? FILES_ORIGIN : LINK_ORIGIN}/${code}`;
}
