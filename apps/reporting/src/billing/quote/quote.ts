import type { Store } from '@vaultsvc/contracts/reporting';
import { itemsOf, type Configuration, type PricedItem } from './configuration.js';
import { charge, credit, settle, type Quote } from './settle.js';
import {
  configurationOf,
  PERIOD_SECONDS,
  type Change,
  type SubscriptionState,
  type Terms,
} from './subscription-state.js';

/**
 * A change within the period: each item that changes is credited at the price that it was charged with and charged at the price of
 * today, for the seconds that are left of the period. The others keep their price. Preview and adjustment are both this function (OPEN-31), so that they cannot differ.
 * @param at epoch seconds; after the end of the period nothing is left to prorate
 */
export function quoteAdjustment(state: SubscriptionState, terms: Terms, change: Change, at: number): Quote {
  const wanted = { ...state, ...withoutUndefined(change) };
  const before = creditableItems(state);
  const after = itemsOf(wanted, terms.planNamed).map(
    (item) => before.find((old) => isSame(old, item)) ?? item,
  );
  const left = { from: Math.min(at, state.periodEnd), to: state.periodEnd };
  const shares = [
    ...before.filter((item) => !after.includes(item)).map((item) => credit(item, left)),
    ...after.filter((item) => !before.includes(item)).map((item) => charge(item, left)),
  ];
  return settle(state, terms, shares, 'subscription_update', { ...wanted, billed: after, changedAt: at });
}

/** A subscription whose period starts now: the old one is credited for the seconds that are left, the new one charged in full. */
export function quoteStart(
  state: SubscriptionState,
  terms: Terms,
  configuration: Configuration,
  at: number,
): Quote {
  const period = { periodStart: at, periodEnd: at + PERIOD_SECONDS };
  const started = { status: 'active', store: null, cancelAtPeriodEnd: false, changedAt: at } as const;
  const billed = itemsOf(configuration, terms.planNamed);
  const next: SubscriptionState = { ...state, ...configuration, ...started, ...period, billed };
  const left = { from: Math.min(at, state.periodEnd), to: state.periodEnd };
  const shares = [
    ...creditableItems(state).map((item) => credit(item, left)),
    ...billed.map((item) => charge(item, { from: at, to: period.periodEnd })),
  ];
  return settle(state, terms, shares, 'subscription_create', next);
}

/** The next period, or the end of the subscription: of one that was to end, and of one that a store has not renewed. */
export function quoteRenewal(state: SubscriptionState, terms: Terms): Quote {
  const { periodEnd: at } = state;
  const to = at + PERIOD_SECONDS;
  if (state.cancelAtPeriodEnd || state.store !== null) {
    const ended = { status: 'canceled', store: null, cancelAtPeriodEnd: false, changedAt: at } as const;
    return settle(state, terms, [], 'subscription_cycle', { ...state, ...ended, billed: [] });
  }
  const billed = itemsOf(state, terms.planNamed);
  const shares = billed.map((item) => charge(item, { from: at, to }));
  const next = { ...state, periodStart: at, periodEnd: to, changedAt: at, billed };
  return settle(state, terms, shares, 'subscription_cycle', next);
}

/** An invoice was not paid in time: the subscription goes on once it is. */
export function quotePastDue(state: SubscriptionState, terms: Terms, at: number): Quote {
  return settle(state, terms, [], 'subscription_update', { ...state, status: 'past_due', changedAt: at });
}

/** The overdue invoices were paid: the period goes on; if it has ended, the next one starts now. */
export function quoteRecovery(state: SubscriptionState, terms: Terms, at: number): Quote {
  if (at >= state.periodEnd) return quoteStart(state, terms, configurationOf(state), at);
  return settle(state, terms, [], 'subscription_update', { ...state, status: 'active', changedAt: at });
}

/** The subscription that a purchase in a store pays for. What is left of our own one is credited. */
export function quoteStorePurchase(
  state: SubscriptionState,
  terms: Terms,
  purchase: { readonly store: Store; readonly plan: string; readonly expiresAt: number },
  at: number,
): Quote {
  const { store, plan, expiresAt } = purchase;
  const left = { from: Math.min(at, state.periodEnd), to: state.periodEnd };
  const shares = creditableItems(state).map((item) => credit(item, left));
  const configuration = { plan, seats: 0, storageBlocks: 0, bandwidthBlocks: 0 };
  const isRenewal = state.store === store && state.plan === plan;
  const period = { periodStart: isRenewal ? state.periodStart : at, periodEnd: expiresAt };
  const started = { status: 'active', store, cancelAtPeriodEnd: false, changedAt: at } as const;
  return settle(state, terms, shares, 'subscription_update', {
    ...state,
    ...configuration,
    ...started,
    ...period,
    billed: [],
  });
}

/** What was paid for: nothing while an invoice is overdue. */
function creditableItems({ status, billed }: SubscriptionState): readonly PricedItem[] {
  return status === 'active' ? billed : [];
}

function isSame(one: PricedItem, other: PricedItem): boolean {
  return one.item === other.item && one.plan === other.plan && one.quantity === other.quantity;
}

function withoutUndefined<T extends object>(change: T): T {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T;
}
