import { exampleTime } from '../../core/example-values.js';
import { Example } from '../../core/example.js';
import { EpochSeconds, Flag, Int, Nested, OneOf, Pattern } from '../../core/fields.js';
import { operation } from '../../core/operation.js';
import { EXAMPLE_ADJUSTMENT_INVOICE, Invoice } from './invoice.js';
import { Money } from './money.js';

/**
 * `active`: the account may use what it pays for. `past_due`: an invoice stayed unpaid for too long. `canceled`: the
 * subscription has ended. Only `active` meets PLAN_REQUIRED (ENV-23).
 */
export const subscriptionStatuses = ['active', 'past_due', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Who bills a subscription: nobody but our invoices, Stripe, or an app store. */
export const billers = ['manual', 'stripe', 'apple', 'google'] as const;
export type Biller = (typeof billers)[number];

/** Names of plans are configured (OPEN-04). */
export const PLAN_NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** The most seats that are bought in addition to those of the plan. */
export const SEATS_MAX = 10_000;
/** The most blocks of storage, and of bandwidth. */
export const BLOCKS_MAX = 1_000;

const planName = { max: 40, says: 'the name of a plan' } as const;
const seats = { min: 0, max: SEATS_MAX, description: 'Seats in addition to those of the plan.' } as const;
const storageBlocks = { min: 0, max: BLOCKS_MAX, description: 'Blocks of storage bought.' } as const;
const bandwidthBlocks = { min: 0, max: BLOCKS_MAX, description: 'Blocks of bandwidth bought.' } as const;

/** The limits of the pools that a subscription pays for. */
@Example({ storage_bytes: 1_099_511_627_776, bandwidth_bytes: 2_199_023_255_552, seats: 17 })
export class Allowance {
  @Int({ min: 0 }) storage_bytes: number;
  @Int({ min: 0, description: 'Per cycle of 30 days.' }) bandwidth_bytes: number;
  @Int({ min: 0, description: 'Users, those of the plan included.' }) seats: number;
}

/** The subscription of an account (OPEN-31). A new account has one to the default plan. */
@Example({
  seats: 2,
  storage_blocks: 0,
  bandwidth_blocks: 0,
  price: { amount: 5_700, currency: 'eur' },
  credit_balance: { amount: 0, currency: 'eur' },
  cancel_at_period_end: false,
  version: 2,
})
export class Subscription {
  @OneOf(subscriptionStatuses) status: SubscriptionStatus;
  @OneOf(billers, { description: 'Who bills it. An app store also changes and cancels it.' }) biller: Biller;
  @Pattern(PLAN_NAME, planName) plan: string;
  @Int(seats) seats: number;
  @Int(storageBlocks) storage_blocks: number;
  @Int(bandwidthBlocks) bandwidth_blocks: number;
  @Nested(() => Allowance) allowance: Allowance;
  @Nested(() => Money, { description: 'For a period of 30 days.' }) price: Money;
  @Nested(() => Money, {
    description:
      'Credit that the next invoices use up. Negative: amounts too small to collect, which they add.',
  })
  credit_balance: Money;
  @EpochSeconds() current_period_start: number;
  @EpochSeconds() current_period_end: number;
  @Flag({ description: 'The subscription ends with the current period.' }) cancel_at_period_end: boolean;
  @Int({ min: 1, description: 'Counts the changes; pins an adjustment to its preview.' }) version: number;
}

/** Reads the subscription. */
export const readSubscription = operation({
  name: 'reporting.read-subscription',
  summary: 'Reads the subscription of the account: plan, seats, blocks and the limits that they give.',
  http: { method: 'GET', path: '/v1/billing/subscription', status: 200 },
  access: { credential: 'key' },
  reply: Subscription,
  repeatable: true,
});

/** The content of a subscription. Body of `startSubscription` and of `openCheckout`. */
@Example({ seats: 2 })
export class NewSubscription {
  @Pattern(PLAN_NAME, planName) plan: string;
  @Int({ ...seats, optional: true }) seats = 0;
  @Int({ ...storageBlocks, optional: true }) storage_blocks = 0;
  @Int({ ...bandwidthBlocks, optional: true }) bandwidth_blocks = 0;
}

/** A subscription after a change, and the invoice of the change. */
export class ChangedSubscription {
  @Nested(() => Subscription) subscription: Subscription;
  @Nested(() => Invoice, { nullable: true, description: 'null: the change costs nothing.' })
  invoice: Invoice | null;
}

/** A subscription after an adjustment, and the invoice of the difference. */
@Example({ invoice: EXAMPLE_ADJUSTMENT_INVOICE })
export class AdjustedSubscription extends ChangedSubscription {}

/**
 * Starts a subscription, with a period that begins now. What is left of the current one is credited. The limits of the pools
 * change at once.
 */
export const startSubscription = operation({
  name: 'reporting.start-subscription',
  summary:
    'Starts a subscription, or replaces the current one: a new period of 30 days begins, and what is left of the old one is credited.',
  http: { method: 'POST', path: '/v1/billing/subscription', status: 201 },
  idempotent: {},
  access: { credential: 'key', role: 'admin' },
  body: NewSubscription,
  reply: ChangedSubscription,
  errors: [
    'BILLING_OF_OPERATOR',
    'SUBSCRIPTION_CHANGED',
    'SUBSCRIPTION_OF_STORE',
    'ALLOWANCE_IN_USE',
    'PAYMENT_METHOD_MISSING',
  ],
});

/** Body of `previewAdjustment` and `adjustSubscription`: at least one field to change. */
@Example({ seats: 2 })
export class Adjustment {
  @Pattern(PLAN_NAME, { ...planName, optional: true }) plan?: string;
  @Int({ ...seats, optional: true }) seats?: number;
  @Int({ ...storageBlocks, optional: true }) storage_blocks?: number;
  @Int({ ...bandwidthBlocks, optional: true }) bandwidth_blocks?: number;
  @Flag({ optional: true, description: 'true: ends the subscription with its period. false: renews it.' })
  cancel_at_period_end?: boolean;
  @Int({
    min: 1,
    optional: true,
    description: 'The version of the preview. Another one now is SUBSCRIPTION_CHANGED.',
  })
  version?: number;
  @EpochSeconds({
    optional: true,
    description:
      'The instant of the preview, at most ten minutes ago; needs version. Without it: the instant of the call.',
  })
  as_of?: number;
}

/** The cost of an adjustment. */
@Example({ invoice: { ...EXAMPLE_ADJUSTMENT_INVOICE, invoice_id: null }, version: 2, as_of: exampleTime() })
export class AdjustmentPreview {
  @Nested(() => Subscription, { description: 'The subscription as it would be.' }) subscription: Subscription;
  @Nested(() => Invoice, { nullable: true, description: 'The invoice without its id. null: no cost.' })
  invoice: Invoice | null;
  @Int({ min: 1, description: 'The version that the preview is of.' }) version: number;
  @EpochSeconds({ description: 'The instant that the proration is calculated for.' }) as_of: number;
}

const adjustmentErrors = [
  'SUBSCRIPTION_CHANGED',
  'PREVIEW_EXPIRED',
  'SUBSCRIPTION_INACTIVE',
  'SUBSCRIPTION_OF_STORE',
] as const;

/** Calculates an adjustment. `adjustSubscription` with its `version` and `as_of` has exactly this result. */
export const previewAdjustment = operation({
  name: 'reporting.preview-adjustment',
  summary: 'Calculates what an adjustment of the subscription would cost. Changes nothing.',
  http: { method: 'POST', path: '/v1/billing/subscription/adjust/preview', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: Adjustment,
  reply: AdjustmentPreview,
  errors: adjustmentErrors,
  repeatable: true,
});

/** Changes the subscription within its period, with proration. The limits of the pools change at once. */
export const adjustSubscription = operation({
  name: 'reporting.adjust-subscription',
  summary:
    'Changes plan, seats or blocks for the rest of the period, with proration to the second, or cancels at its end. Limits change at once.',
  http: { method: 'POST', path: '/v1/billing/subscription/adjust', status: 200 },
  idempotent: {},
  access: { credential: 'key', role: 'admin' },
  body: Adjustment,
  reply: AdjustedSubscription,
  errors: ['BILLING_OF_OPERATOR', ...adjustmentErrors, 'ALLOWANCE_IN_USE', 'PAYMENT_METHOD_MISSING'],
});

/** Body of `changeSeats`: exactly one field. */
@Example({ set: 2 })
export class SeatChange {
  @Int({ min: 1, max: SEATS_MAX, optional: true, description: 'Seats to buy in addition.' }) add?: number;
  @Int({ ...seats, optional: true, description: 'Seats in addition to those of the plan, from now on.' })
  set?: number;
}

/** Buys or returns many seats in one call, as an adjustment. `POST /v1/users` uses one seat (OPEN-65). */
export const changeSeats = operation({
  name: 'reporting.change-seats',
  summary: 'Buys many seats in one call, or sets their number; the same as an adjustment of seats.',
  http: { method: 'POST', path: '/v1/billing/seats/bulk', status: 200 },
  idempotent: {},
  access: { credential: 'key', role: 'admin' },
  body: SeatChange,
  reply: AdjustedSubscription,
  errors: [
    'BILLING_OF_OPERATOR',
    'SUBSCRIPTION_CHANGED',
    'SUBSCRIPTION_INACTIVE',
    'SUBSCRIPTION_OF_STORE',
    'ALLOWANCE_IN_USE',
    'PAYMENT_METHOD_MISSING',
  ],
});
