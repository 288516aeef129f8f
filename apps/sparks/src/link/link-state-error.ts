import { AppError, type ErrorReason } from '@vaultsvc/contracts';

/** Why a link opens nothing any more. */
export type LinkEnd = 'consumed' | 'revoked' | 'expired';

const reasons = {
  consumed: 'LINK_CONSUMED',
  revoked: 'LINK_REVOKED',
  expired: 'LINK_EXPIRED',
} as const satisfies Record<LinkEnd, ErrorReason>;

/** The refusal of a link that opens nothing any more; the page shows its state. */
export function linkStateError(state: LinkEnd): AppError {
  return new AppError(reasons[state], { state });
}
