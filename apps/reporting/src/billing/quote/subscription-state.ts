import type { Store, SubscriptionStatus } from '@vaultsvc/contracts/reporting';
import type { Configuration, PlanLookup, PricedItem } from './configuration.js';

/** Seconds of a billing period: 30 days, as the cycle of bandwidth. */
export const PERIOD_SECONDS = 30 * 86_400;

/** The subscription of an account at one version. Times are epoch seconds, amounts minor units. */
export interface SubscriptionState extends Configuration {
  readonly status: SubscriptionStatus;
  /** The app store that bills it; null: our invoices. */
  readonly store: Store | null;
  readonly periodStart: number;
  readonly periodEnd: number;
  /** What the period was charged for, at the prices of that time. */
  readonly billed: readonly PricedItem[];
  readonly cancelAtPeriodEnd: boolean;
  /** Negative: amounts that were too small to collect. */
  readonly creditBalance: number;
  /** What earlier roundings left over, in minor units / PERIOD_SECONDS. */
  readonly roundingCarry: number;
  readonly version: number;
  /** When this version began. */
  readonly changedAt: number;
}

/** What quotes are made by. */
export interface Terms {
  readonly planNamed: PlanLookup;
  /** The smallest amount that can be collected, in minor units; less is added to the next invoice. */
  readonly minimumDue: number;
}

/** A change of a subscription. */
export type Change = Partial<Configuration> & { readonly cancelAtPeriodEnd?: boolean };

/** The configuration alone. */
export function configurationOf({
  plan,
  seats,
  storageBlocks,
  bandwidthBlocks,
}: Configuration): Configuration {
  return { plan, seats, storageBlocks, bandwidthBlocks };
}
