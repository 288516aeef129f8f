import type { AccountCredential } from '@vaultsvc/contracts';

/**
 * The user who calls, whose delegated keys and their tokens work (VLT-19); null for an API key, and for an integration: it has
 * the rights of the one who installed it, but acts for people of its provider, who are not that user (AMB-21).
 */
export function callingUser({ userId, actor }: AccountCredential): string | null {
  return actor?.kind === 'app' ? null : userId;
}
