import type { AccountContext, PoolName } from './context.js';
import { AppError } from './errors.js';

type DrawnPool = Exclude<PoolName, 'identity'>;

/** `action_required` of an exhausted pool (OPEN-05). */
const remedies = { storage: 'add_storage_block', bandwidth: 'add_bandwidth_block' } as const;

/**
 * Refuses a write that draws these pools if the plan has ended or a pool was exhausted before the call (OPEN-58).
 * @throws AppError PLAN_REQUIRED, or QUOTA_EXCEEDED naming the first exhausted pool
 * @throws Error if the context has no pools, which is a fault of the contract: it must say `billable`
 */
export function assertPoolsAvailable({ pools }: AccountContext, ...drawn: DrawnPool[]): void {
  if (!pools) throw new Error('a billable call has no pool availability in its context');
  if (pools.plan !== 'active') throw new AppError('PLAN_REQUIRED');
  const resource = drawn.find((pool) => pools.exhausted.includes(pool));
  if (resource) throw quotaExceeded(resource);
}

/** The 402 QUOTA_EXCEEDED that names the exhausted pool and its remedy (ENV-23). */
export function quotaExceeded(resource: DrawnPool): AppError {
  return new AppError('QUOTA_EXCEEDED', { resource, action_required: remedies[resource] });
}
