import { Injectable } from '@nestjs/common';
import { Plans, type Plan } from '../../pool/plans.js';
import { BillingProvider } from '../provider/billing-provider.js';
import type { Terms } from '../quote/subscription-state.js';

/** The configured plans, and the smallest amount that the provider collects. */
@Injectable()
export class BillingTerms implements Terms {
  readonly minimumDue: number;
  readonly planNamed: (name: string) => Plan;

  constructor(plans: Plans, provider: BillingProvider) {
    this.minimumDue = provider.minimumDue;
    this.planNamed = (name) => plans.named(name);
  }
}
