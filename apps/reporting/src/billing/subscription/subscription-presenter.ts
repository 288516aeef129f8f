import { Injectable } from '@nestjs/common';
import type { Subscription } from '@vaultsvc/contracts/reporting';
import { ReportingConfig } from '../../config.js';
import { Plans } from '../../pool/plans.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { allowanceOf, priceOf } from '../quote/configuration.js';
import type { SubscriptionState } from '../quote/subscription-state.js';

/** Shows subscriptions to callers. */
@Injectable()
export class SubscriptionPresenter {
  constructor(
    private readonly plans: Plans,
    private readonly provider: BillingProvider,
    private readonly config: ReportingConfig,
  ) {}

  present(state: SubscriptionState): Subscription {
    const planNamed = (name: string) => this.plans.named(name);
    const money = (amount: number) => ({ amount, currency: this.config.BILLING_CURRENCY });
    const { storageBytes, bandwidthBytes, identitySeats } = allowanceOf(state, planNamed);
    return {
      status: state.status,
      biller: state.store ?? this.provider.name,
      plan: state.plan,
      seats: state.seats,
      storage_blocks: state.storageBlocks,
      bandwidth_blocks: state.bandwidthBlocks,
      allowance: { storage_bytes: storageBytes, bandwidth_bytes: bandwidthBytes, seats: identitySeats },
      price: money(state.store === null ? priceOf(state, planNamed) : 0), // the store has a price of its own
      credit_balance: money(state.creditBalance),
      current_period_start: state.periodStart,
      current_period_end: state.periodEnd,
      cancel_at_period_end: state.cancelAtPeriodEnd,
      version: state.version,
    };
  }
}
