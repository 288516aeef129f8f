import { Injectable } from '@nestjs/common';
import { AppError, type StripeContext } from '@vaultsvc/contracts';
import { ProviderGuard, type AdmittedRequest, type ProviderRequest } from '@vaultsvc/messaging';
import type Stripe from 'stripe';
import { ReportingConfig } from '../../config.js';
import { stripeClient } from './stripe-client.js';

/** The oldest signature that is accepted, in seconds. */
const TOLERANCE_SECONDS = 300;

/** Verifies webhooks of Stripe. Each event is applied once, by its id, in the transaction of its effect. */
@Injectable()
export class StripeGuard extends ProviderGuard {
  override readonly providers = ['stripe'] as const;
  readonly #stripe: Stripe | undefined;
  readonly #secret: string;

  constructor(config: ReportingConfig) {
    super();
    this.#secret = config.STRIPE_WEBHOOK_SECRET.reveal();
    if (config.BILLING_PROVIDER === 'stripe') this.#stripe = stripeClient(config);
  }

  override async admit({ raw, context }: ProviderRequest): Promise<AdmittedRequest> {
    const event = this.#read(raw, context.signedRequest.headers['stripe-signature']);
    const admitted: StripeContext = { ...context, event };
    return { context: admitted };
  }

  /** @throws AppError AUTHENTICATION_ERROR without a valid signature, which nothing has while Stripe is not the provider */
  #read(body: Buffer, signature: string | undefined): Stripe.Event {
    if (!this.#stripe || signature === undefined) throw new AppError('AUTHENTICATION_ERROR');
    try {
      return this.#stripe.webhooks.constructEvent(body, signature, this.#secret, TOLERANCE_SECONDS);
    } catch (error) {
      throw new AppError('AUTHENTICATION_ERROR', undefined, { cause: error });
    }
  }
}
