import type { BilledItem, BillingReason } from '@vaultsvc/contracts/reporting';
import { apportion } from './apportion.js';
import type { PricedItem } from './configuration.js';
import { PERIOD_SECONDS, type SubscriptionState, type Terms } from './subscription-state.js';

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

/** A part of a period, in epoch seconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** An item for a part of a period. */
export interface Share {
  readonly item: PricedItem;
  readonly sign: 1n | -1n;
  readonly span: Span;
}

export const credit = (item: PricedItem, span: Span): Share => ({ item, sign: -1n, span });
export const charge = (item: PricedItem, span: Span): Share => ({ item, sign: 1n, span });

/** The quote of these shares: lines, total, and the state after it. */
export function settle(
  state: SubscriptionState,
  { minimumDue }: Terms,
  shares: readonly Share[],
  reason: BillingReason,
  next: SubscriptionState,
): Quote {
  const numerators = shares.map(numeratorOf);
  const { amounts, total, carry } = apportion(numerators, BigInt(PERIOD_SECONDS), state.roundingCarry);
  const creditApplied = creditOf(state, total, minimumDue);
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

/** All of an amount that is too small to collect: the balance is negative then, and the next invoice makes up for it. */
function creditOf({ creditBalance }: SubscriptionState, total: number, minimumDue: number): number {
  if (total <= 0) return 0;
  const credit = Math.min(creditBalance, total);
  return total - credit < minimumDue ? total : credit;
}

function numeratorOf({ item: { quantity, unitAmount }, sign, span }: Share): bigint {
  return sign * BigInt(quantity * unitAmount) * BigInt(span.to - span.from);
}

function lineOf({ item, span }: Share, amount: number): QuotedLine {
  const isProration = span.to - span.from !== PERIOD_SECONDS;
  return { ...item, amount, isProration, periodStart: span.from, periodEnd: span.to };
}
