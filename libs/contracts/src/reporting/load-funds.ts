import { operation } from '../core/operation.js';
import { IdOf } from '../core/fields.js';

export class FundsQuestion {
  @IdOf('acc') account_id: string;
}

export class FundsLoaded {}

/** Puts an account's plan and pools where the gateway reads them; asked when they are not there (OPEN-58). */
export const loadFunds = operation({
  name: 'reporting.load-funds',
  summary: "Puts the snapshot of an account's plan and pools into Redis.",
  access: 'internal',
  body: FundsQuestion,
  reply: FundsLoaded,
  repeatable: true,
});
