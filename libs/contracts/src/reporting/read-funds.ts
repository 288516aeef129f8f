import { Flag, IdOf, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class FundsOfAccount {
  @IdOf('acc') account_id: string;
}

export class FundsState {
  @OneOf(['active', 'none']) plan: 'active' | 'none';
  @Flag() is_storage_exhausted: boolean;
  @Flag() is_bandwidth_exhausted: boolean;
}

/** For services without Redis, about accounts that are not calling: whoever opens a link draws its owner's pools. */
export const readFunds = operation({
  name: 'reporting.read-funds',
  summary: 'Whether the plan of an account is active, and which of its pools are used up.',
  access: 'internal',
  body: FundsOfAccount,
  reply: FundsState,
  repeatable: true,
});
