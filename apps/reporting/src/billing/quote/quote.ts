import type { BilledItem, BillingReason, Store, SubscriptionStatus } from '@vaultsvc/contracts/reporting';
import { apportion } from './apportion.js';
import { itemsOf, type Configuration, type PlanLookup, type PricedItem } from './configuration.js';

/** Seconds of a billing period: 30 days, as the cycle of bandwidth. */
export const PERIOD_SECONDS = 30 * 86_400;

/** The subscription of an account at one version. Times are epoch seconds, amounts minor units. */
export interface SubscriptionState extends Configuration {
  readonly status: SubscriptionStatus;
  /** The app store that bills it; null: our invoices. */
  readonly store: Store | null;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly cancelAtPeriodEnd: boolean;
  readonly creditBalance: number;
  /** What earlier roundings left over, in minor units / PERIOD_SECONDS. */
  readonly roundingCarry: number;
  readonly version: number;
  /** When this version began. */
  readonly changedAt: number;
}

/** A line of a quote. */
export interface QuotedLine {
  readonly item: BilledItem;
  readonly plan: string;
  readonly quantity: number;
  readonly unitAmount: number;
  /** Negative: credit. */
  readonly amount: number;
  readonly isProration: boolean;
  readonly periodStart: number;
  readonly periodEnd: number;
}

/** What a change costs, and the state after it. Without lines nothing is invoiced. */
export interface Quote {
  readonly reason: BillingReason;
  readonly lines: readonly QuotedLine[];
  /** The sum of the lines. */
  readonly total: number;
  readonly creditApplied: number;
  /** At least 0. */
  readonly amountDue: number;
  readonly next: SubscriptionState;
}

/** A change of a subscription. */
export type Change = Partial<Configuration> & { readonly cancelAtPeriodEnd?: boolean };

/**
 * A change within the period: each item whose price or quantity changes is credited as it was and charged as it will be, for
 * the seconds that are left of the period. Preview and adjustment are both this function (OPEN-31), so that they cannot differ.
 * @param at epoch seconds; after the end of the period nothing is left to prorate
 */
export function quoteAdjustment(
  state: SubscriptionState,
  planNamed: PlanLookup,
  change: Change,
  at: number,
): Quote {
  const wanted = { ...state, ...withoutUndefined(change) };
  const before = billedItems(state, planNamed);
  const after = billedItems(wanted, planNamed);
  const left = { from: Math.min(at, state.periodEnd), to: state.periodEnd };
  const shares = [
    ...before.filter((item) => !isAmong(after, item)).map((item) => credit(item, left)),
    ...after.filter((item) => !isAmong(before, item)).map((item) => charge(item, left)),
  ];
  return settle(state, shares, 'subscription_update', { ...wanted, changedAt: at });
}

/** A subscription whose period starts now: the old one is credited for the seconds that are left, the new one charged in full. */
export function quoteStart(
  state: SubscriptionState,
  planNamed: PlanLookup,
  configuration: Configuration,
  at: number,
): Quote {
  const period = { periodStart: at, periodEnd: at + PERIOD_SECONDS };
  const started = { status: 'active', store: null, cancelAtPeriodEnd: false, changedAt: at } as const;
  const next: SubscriptionState = { ...state, ...configuration, ...started, ...period };
  const left = { from: Math.min(at, state.periodEnd), to: state.periodEnd };
  const shares = [
    ...billedItems(state, planNamed).map((item) => credit(item, left)),
    ...billedItems(next, planNamed).map((item) => charge(item, { from: at, to: period.periodEnd })),
  ];
  return settle(state, shares, 'subscription_create', next);
}

/** The next period, or the end of the subscription: of one that was to end, and of one that a store has not renewed. */
export function quoteRenewal(state: SubscriptionState, planNamed: PlanLookup): Quote {
  const { periodEnd: at } = state;
  const to = at + PERIOD_SECONDS;
  if (state.cancelAtPeriodEnd || state.store !== null) {
    const ended = { status: 'canceled', store: null, cancelAtPeriodEnd: false, changedAt: at } as const;
    return settle(state, [], 'subscription_cycle', { ...state, ...ended });
  }
  const shares = billedItems(state, planNamed).map((item) => charge(item, { from: at, to }));
  const next = { ...state, periodStart: at, periodEnd: to, changedAt: at };
  return settle(state, shares, 'subscription_cycle', next);
}

/** An invoice was not paid in time: the subscription goes on once it is. */
export function quotePastDue(state: SubscriptionState, at: number): Quote {
  return settle(state, [], 'subscription_update', { ...state, status: 'past_due', changedAt: at });
}

/** The overdue invoices were paid: the period goes on; if it has ended, the next one starts now. */
export function quoteRecovery(state: SubscriptionState, planNamed: PlanLookup, at: number): Quote {
  if (at >= state.periodEnd) return quoteStart(state, planNamed, configurationOf(state), at);
  return settle(state, [], 'subscription_update', { ...state, status: 'active', changedAt: at });
}

/** The subscription that a purchase in a store pays for. What is left of our own one is credited. */
export function quoteStorePurchase(
  state: SubscriptionState,
  planNamed: PlanLookup,
  purchase: { readonly store: Store; readonly plan: string; readonly expiresAt: number },
  at: number,
): Quote {
  const { store, plan, expiresAt } = purchase;
  const left = { from: Math.min(at, state.periodEnd), to: state.periodEnd };
  const shares = billedItems(state, planNamed).map((item) => credit(item, left));
  const configuration = { plan, seats: 0, storageBlocks: 0, bandwidthBlocks: 0 };
  const isSame = state.store === store && state.plan === plan;
  const period = { periodStart: isSame ? state.periodStart : at, periodEnd: expiresAt };
  const started = { status: 'active', store, cancelAtPeriodEnd: false, changedAt: at } as const;
  return settle(state, shares, 'subscription_update', { ...state, ...configuration, ...started, ...period });
}

/** The configuration alone. */
export function configurationOf({
  plan,
  seats,
  storageBlocks,
  bandwidthBlocks,
}: Configuration): Configuration {
  return { plan, seats, storageBlocks, bandwidthBlocks };
}

/** A part of a period, in epoch seconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** An item for a part of a period. */
interface Share {
  readonly item: PricedItem;
  readonly sign: 1n | -1n;
  readonly span: Span;
}

const credit = (item: PricedItem, span: Span): Share => ({ item, sign: -1n, span });
const charge = (item: PricedItem, span: Span): Share => ({ item, sign: 1n, span });

/** What our invoices have charged for: nothing while a store bills, or for a subscription that is unpaid or has ended. */
function billedItems(state: SubscriptionState, planNamed: PlanLookup): PricedItem[] {
  return state.status === 'active' && state.store === null ? itemsOf(state, planNamed) : [];
}

function isAmong(items: readonly PricedItem[], { item, quantity, unitAmount }: PricedItem): boolean {
  return items.some(
    (other) => other.item === item && other.quantity === quantity && other.unitAmount === unitAmount,
  );
}

function settle(
  state: SubscriptionState,
  shares: readonly Share[],
  reason: BillingReason,
  next: SubscriptionState,
): Quote {
  const numerators = shares.map(numeratorOf);
  const { amounts, total, carry } = apportion(numerators, BigInt(PERIOD_SECONDS), state.roundingCarry);
  const creditApplied = Math.min(state.creditBalance, Math.max(0, total));
  return {
    reason,
    lines: shares
      .map((share, index) => lineOf(share, amounts[index] ?? 0))
      .filter(({ amount }) => amount !== 0),
    total,
    creditApplied,
    amountDue: Math.max(0, total) - creditApplied,
    next: {
      ...next,
      creditBalance: state.creditBalance - creditApplied + Math.max(0, -total),
      roundingCarry: carry,
      version: state.version + 1,
    },
  };
}

function numeratorOf({ item: { quantity, unitAmount }, sign, span }: Share): bigint {
  return sign * BigInt(quantity * unitAmount) * BigInt(span.to - span.from);
}

function lineOf({ item, span }: Share, amount: number): QuotedLine {
  const isProration = span.to - span.from !== PERIOD_SECONDS;
  return { ...item, amount, isProration, periodStart: span.from, periodEnd: span.to };
}

function withoutUndefined<T extends object>(change: T): T {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T;
}
