import { AppError, type ErrorReason } from '@vaultsvc/contracts';

/** The final states of a link. */
export type EndedLinkState = 'consumed' | 'revoked' | 'expired';

const reasons = {
  consumed: 'LINK_CONSUMED',
  revoked: 'LINK_REVOKED',
  expired: 'LINK_EXPIRED',
} as const satisfies Record<EndedLinkState, ErrorReason>;

/** The error of opening a link in a final state; the link page shows the state. */
export function linkStateError(state: EndedLinkState): AppError {
  return new AppError(reasons[state], { state });
}
