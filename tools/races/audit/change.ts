import type { ChangingAccount } from './changing-account.js';

/** One kind of change: it creates, changes or ends one resource, or does nothing while the account has none of its kind. */
export interface Change {
  /** How often it is chosen, in proportion to the others. */
  readonly weight: number;
  readonly make: (account: ChangingAccount) => Promise<void>;
}
