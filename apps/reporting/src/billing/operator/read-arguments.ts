import { parseCommandLine, UsageError } from '@vaultsvc/config';
import { idPattern } from '@vaultsvc/contracts';
import type { Adjustment } from '@vaultsvc/contracts/reporting';

const USAGE = `Usage: node set-billing.js --account acc_... [changes]
  --plan NAME            the plan
  --seats N              seats in addition to those of the plan
  --storage-blocks N     blocks of storage
  --bandwidth-blocks N   blocks of bandwidth
  --ends true|false      whether the subscription ends with its period
  --paid in_...          marks an open invoice as paid
Without changes it prints the subscription and its open invoices.`;

/** What the operator asks for. */
export interface BillingOrder {
  readonly accountId: string;
  /** Null: no change of the subscription. */
  readonly change: Adjustment | null;
  readonly paidInvoiceId: string | null;
}

const options = {
  account: { type: 'string' },
  plan: { type: 'string' },
  seats: { type: 'string' },
  'storage-blocks': { type: 'string' },
  'bandwidth-blocks': { type: 'string' },
  ends: { type: 'string' },
  paid: { type: 'string' },
} as const;

/** @throws UsageError */
export function readArguments(args: readonly string[]): BillingOrder {
  const { values: given } = parseCommandLine({ args: [...args], options }, USAGE);
  const { account = '', paid = null } = given;
  if (!idPattern('acc').test(account)) throw new UsageError('--account must be an acc_ id.', USAGE);
  if (paid !== null && !idPattern('in').test(paid)) throw new UsageError('--paid must be an in_ id.', USAGE);
  const change: Adjustment = {
    ...(given.plan !== undefined && { plan: given.plan }),
    ...counted('seats', given.seats, 'seats'),
    ...counted('storage-blocks', given['storage-blocks'], 'storage_blocks'),
    ...counted('bandwidth-blocks', given['bandwidth-blocks'], 'bandwidth_blocks'),
    ...(given.ends !== undefined && { cancel_at_period_end: flagOf(given.ends) }),
  };
  const isChange = Object.keys(change).length > 0;
  return { accountId: account, change: isChange ? change : null, paidInvoiceId: paid };
}

function counted(name: string, text: string | undefined, field: string): Record<string, number> {
  if (text === undefined) return {};
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--${name} must be a number from 0 to 99999.`, USAGE);
  return { [field]: Number(text) };
}

function flagOf(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError('--ends must be true or false.', USAGE);
}
