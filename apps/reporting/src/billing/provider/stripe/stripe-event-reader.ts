import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type Stripe from 'stripe';
import { ReportingConfig } from '../../../config.js';
import { stripeClient } from './stripe-client.js';

/** The oldest signature that is accepted, in seconds. */
const TOLERANCE_SECONDS = 300;

/** Verifies the signatures of webhooks. */
@Injectable()
export class StripeEventReader {
  readonly #stripe: Stripe | undefined;
  readonly #secret: string;

  constructor(config: ReportingConfig) {
    this.#secret = config.STRIPE_WEBHOOK_SECRET.reveal();
    if (config.BILLING_PROVIDER === 'stripe') this.#stripe = stripeClient(config);
  }

  /** @throws AppError AUTHENTICATION_ERROR without a valid signature, which nothing has while Stripe is not the provider */
  read(body: Buffer, signature: string | undefined): Stripe.Event {
    if (!this.#stripe || signature === undefined) throw new AppError('AUTHENTICATION_ERROR');
    try {
      return this.#stripe.webhooks.constructEvent(body, signature, this.#secret, TOLERANCE_SECONDS);
    } catch (error) {
      throw new AppError('AUTHENTICATION_ERROR', undefined, { cause: error });
    }
  }
}
