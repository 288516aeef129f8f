import type { AccountContext, PoolName } from './context.js';
import { AppError } from './errors.js';

type Drawn = Exclude<PoolName, 'identity'>;

/** What the caller can do about an exhausted pool (OPEN-05). */
const remedies = { storage: 'add_storage_block', bandwidth: 'add_bandwidth_block' } as const;

/**
 * Refuses a write that draws these pools when the plan ended or one was used up before the call (OPEN-58): 402
 * PLAN_REQUIRED, or QUOTA_EXCEEDED naming the first exhausted pool. Without a snapshot nothing may be drawn.
 */
export function assertPoolsAvailable({ pools }: AccountContext, ...drawn: Drawn[]): void {
  if (!pools) throw new Error('a billable call has no pool availability in its context');
  if (pools.plan !== 'active') throw new AppError('PLAN_REQUIRED');
  const resource = drawn.find((pool) => pools.exhausted.includes(pool));
  if (resource) throw quotaExceeded(resource);
}

/** 402 that names the pool and what gives it more room (ENV-23). */
export function quotaExceeded(resource: Drawn): AppError {
  return new AppError('QUOTA_EXCEEDED', { resource, action_required: remedies[resource] });
}
