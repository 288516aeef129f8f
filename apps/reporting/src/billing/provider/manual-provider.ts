import { validationError } from '@vaultsvc/contracts';
import {
  BillingProvider,
  type MethodDetails,
  type MethodSetup,
  type PaymentOutcome,
} from './billing-provider.js';

/** The provider without a provider: invoices are paid by bank transfer, and `charge` records that one was paid. */
export class ManualProvider extends BillingProvider {
  readonly name = 'manual';
  readonly chargesMethods = false;
  readonly minimumDue = 1;

  async collect(): Promise<PaymentOutcome> {
    return { status: 'succeeded', ref: null };
  }

  async setUpMethod(): Promise<MethodSetup> {
    return { clientSecret: null, publishableKey: null };
  }

  async attachMethod(_accountId: string, token: string | undefined): Promise<MethodDetails> {
    if (token !== undefined)
      throw validationError({ field: 'token', message: 'token must be absent: the provider is manual' });
    return { ref: null, type: 'invoice', brand: null, last4: null, expMonth: null, expYear: null };
  }

  async detachMethod(): Promise<void> {}

  async openCheckout(): Promise<string | null> {
    return null;
  }

  async openPortal(): Promise<string | null> {
    return null;
  }
}
