import { AppError, type AccountContext, type PoolName } from '@vaultsvc/contracts';

/** What the caller can do about an exhausted pool. */
const remedies = { storage: 'add_storage_block', bandwidth: 'add_bandwidth_block' } as const;

/**
 * Refuses a write that draws these pools when the plan ended or one was used up before the call (OPEN-58): 402
 * PLAN_REQUIRED, or QUOTA_EXCEEDED naming the first exhausted pool. Without a snapshot nothing may be drawn.
 */
export function assertFunded(context: AccountContext, ...drawn: Exclude<PoolName, 'identity'>[]): void {
  const { funds } = context;
  if (!funds) throw new Error('a billable call came without the funds of its account');
  if (funds.plan !== 'active') throw new AppError('PLAN_REQUIRED');
  const resource = drawn.find((pool) => funds.exhausted.includes(pool));
  if (resource) throw new AppError('QUOTA_EXCEEDED', { resource, action_required: remedies[resource] });
}
