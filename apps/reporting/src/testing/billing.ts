import type { AccountContext } from '@vaultsvc/contracts';
import {
  adjustSubscription,
  chargeInvoice,
  listInvoices,
  previewAdjustment,
  readSubscription,
  startSubscription,
  type Adjustment,
  type Invoice,
  type NewSubscription,
} from '@vaultsvc/contracts/reporting';
import { accountContext } from '@vaultsvc/testing/harness';
import type { Platform } from './platform.js';

/** Seconds of a billing period. */
export const PERIOD = 2_592_000;

/** An account whose billing a spec calls. */
export interface Customer {
  readonly accountId: string;
  readonly context: AccountContext;
  subscription(): ReturnType<typeof readOf>;
  start(body: Partial<NewSubscription> & { plan: string }): ReturnType<typeof startOf>;
  preview(body: Partial<Adjustment>): ReturnType<typeof previewOf>;
  adjust(body: Partial<Adjustment>): ReturnType<typeof adjustOf>;
  charge(invoiceId: string | null | undefined): Promise<Invoice>;
  /** Newest first. */
  invoices(): Promise<Invoice[]>;
  /** Moves the period and all that has happened in it into the past, and so the instant of the next call into it. */
  elapse(seconds: number): Promise<void>;
}

/** A new account; `credential` overrides parts of the caller's. */
export function newCustomer(
  platform: Platform,
  credential: Partial<AccountContext['credential']> = {},
): Customer {
  const context = accountContext(credential);
  const { accountId } = context.credential;
  const { bus } = platform.harness;
  return {
    accountId,
    context,
    subscription: () => readOf(platform, context),
    start: (body) => startOf(platform, context, body),
    preview: (body) => previewOf(platform, context, body),
    adjust: (body) => adjustOf(platform, context, body),
    charge: (id) => bus.call(chargeInvoice, { body: { invoice_id: String(id) } }, context),
    invoices: async () => (await bus.call(listInvoices, { query: { limit: 100 } }, context)).invoices,
    elapse: async (seconds) => {
      await platform.sql(
        `UPDATE subscriptions SET period_start = period_start - make_interval(secs => $2),
                period_end = period_end - make_interval(secs => $2), changed_at = changed_at - make_interval(secs => $2)
          WHERE account_id = $1`,
        [accountId, seconds],
      );
    },
  };
}

const readOf = ({ harness }: Platform, context: AccountContext) =>
  harness.bus.call(readSubscription, {}, context);

const startOf = (
  { harness }: Platform,
  context: AccountContext,
  body: Partial<NewSubscription> & { plan: string },
) =>
  harness.bus.call(
    startSubscription,
    { body: { seats: 0, storage_blocks: 0, bandwidth_blocks: 0, ...body } },
    context,
  );

const previewOf = ({ harness }: Platform, context: AccountContext, body: Adjustment) =>
  harness.bus.call(previewAdjustment, { body }, context);

const adjustOf = ({ harness }: Platform, context: AccountContext, body: Adjustment) =>
  harness.bus.call(adjustSubscription, { body }, context);
