import { AppError, validationError } from '@vaultsvc/contracts';
import type { Adjustment, NewSubscription } from '@vaultsvc/contracts/reporting';
import type { Plans } from '../../pool/plans.js';
import type { Configuration } from '../quote/configuration.js';
import type { Change, SubscriptionState } from '../quote/subscription-state.js';

/** For how long a preview can be adopted. It also bounds what a caller gains by an earlier instant. */
const PREVIEW_SECONDS = 600;

/** @throws AppError VALIDATION_ERROR for a plan that is not configured */
export function assertPlan(plans: Plans, name: string | undefined): void {
  if (name !== undefined && !plans.find(name))
    throw validationError({ field: 'plan', message: 'plan must be a configured plan' });
}

/** The content of a new subscription. @throws AppError VALIDATION_ERROR */
export function readConfiguration(plans: Plans, body: NewSubscription): Configuration {
  assertPlan(plans, body.plan);
  const { plan, seats, storage_blocks: storageBlocks, bandwidth_blocks: bandwidthBlocks } = body;
  return { plan, seats, storageBlocks, bandwidthBlocks };
}

/** The change that an adjustment makes. @throws AppError VALIDATION_ERROR without any, or for an instant without its version */
export function readChange(plans: Plans, body: Adjustment): Change {
  assertPlan(plans, body.plan);
  if (body.as_of !== undefined && body.version === undefined)
    throw validationError({ field: 'version', message: 'version must be given with as_of' });
  const change: Change = {
    plan: body.plan,
    seats: body.seats,
    storageBlocks: body.storage_blocks,
    bandwidthBlocks: body.bandwidth_blocks,
    cancelAtPeriodEnd: body.cancel_at_period_end,
  };
  if (Object.values(change).every((value) => value === undefined))
    throw validationError({ field: '', message: 'at least one field to change must be given' });
  return change;
}

/**
 * The instant that an adjustment is calculated for.
 * @throws AppError SUBSCRIPTION_CHANGED for another version than that of the preview, PREVIEW_EXPIRED for an instant that is not
 * of this version and the last ten minutes
 */
export function instantOf(body: Adjustment, state: SubscriptionState, now: number): number {
  if (body.version !== undefined && body.version !== state.version)
    throw new AppError('SUBSCRIPTION_CHANGED');
  const { as_of: at = Math.max(now, state.changedAt) } = body;
  if (at > Math.max(now, state.changedAt) || at < Math.max(now - PREVIEW_SECONDS, state.changedAt))
    throw new AppError('PREVIEW_EXPIRED');
  return at;
}

/** @throws AppError SUBSCRIPTION_OF_STORE, SUBSCRIPTION_INACTIVE */
export function assertAdjustable({ status, store }: SubscriptionState): void {
  assertOurs({ store });
  if (status !== 'active') throw new AppError('SUBSCRIPTION_INACTIVE');
}

/** @throws AppError SUBSCRIPTION_OF_STORE */
export function assertOurs({ store }: Pick<SubscriptionState, 'store'>): void {
  if (store !== null) throw new AppError('SUBSCRIPTION_OF_STORE', { store });
}
