import type { Provider } from '@nestjs/common';
import { ReportingConfig } from '../../config.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { CustomerRepository } from './customer.repository.js';
import { ManualProvider } from '../provider/manual-provider.js';
import { stripeClient } from './stripe-client.js';
import { StripeProvider } from './stripe-provider.js';

/** The provider that BILLING_PROVIDER names. */
export const billingProvider: Provider = {
  provide: BillingProvider,
  useFactory: (config: ReportingConfig, customers: CustomerRepository) =>
    config.BILLING_PROVIDER === 'stripe'
      ? new StripeProvider(stripeClient(config), customers, config)
      : new ManualProvider(),
  inject: [ReportingConfig, CustomerRepository],
};
