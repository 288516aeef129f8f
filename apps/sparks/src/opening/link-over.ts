import { AppError, type ErrorReason } from '@vaultsvc/contracts';
import type { LinkState } from './visited-link.repository.js';

const reasons = {
  consumed: 'LINK_CONSUMED',
  revoked: 'LINK_REVOKED',
  expired: 'LINK_EXPIRED',
} as const satisfies Record<Exclude<LinkState, 'active'>, ErrorReason>;

/** The refusal of a link that opens nothing any more; the page shows its state. */
export function linkOver(state: Exclude<LinkState, 'active'>): AppError {
  return new AppError(reasons[state], { state });
}
