import type { CredentialRecord } from '../credential-cache.js';
import type { PoolSnapshot } from '../pool-snapshot-cache.js';

/** The record of an API key that may call. */
export const activeKey: CredentialRecord = {
  version: 1,
  status: 'active',
  kind: 'api_key',
  accountId: 'acc_1',
  userId: null,
  credentialId: 'key_1',
  role: 'admin',
  seat: 'full',
  expiresAt: null,
};

/** The pools of an account with a plan. */
export const pooled: PoolSnapshot = {
  version: 3,
  plan: 'active',
  storage: { used: 1, limit: 10 },
  bandwidth: { used: 2, limit: 10, cycle_resets_at: 5 },
  identity: { used: 1, limit: 5 },
};
