import { Injectable } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, type Transaction } from '@vaultsvc/database';
import { causeOfJob } from '../../audit/own-record.js';
import type Stripe from 'stripe';
import { CheckoutCompleter } from '../checkout/checkout-completer.js';
import { PaymentMethodRepository } from '../payment-method/payment-method.repository.js';
import { PaymentCollector } from '../payment/payment-collector.js';
import { CustomerRepository } from './customer.repository.js';
import { methodDetails } from './method-details.js';
import { outcomeOf } from './payment-outcome.js';
import { ProviderEventRepository } from './provider-event.repository.js';

/** The types of events that have an effect; an endpoint may be subscribed to more. */
const appliedTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_method.attached',
  'payment_method.updated',
  'payment_method.automatically_updated',
  'payment_method.detached',
] as const satisfies readonly Stripe.Event.Type[];

export type AppliedEvent = Extract<Stripe.Event, { readonly type: (typeof appliedTypes)[number] }>;

export function isApplied(event: Stripe.Event): event is AppliedEvent {
  return appliedTypes.some((type) => type === event.type);
}

/**
 * Applies events of Stripe, each once. They arrive late, twice and out of order: each effect is a conditional statement that an
 * older event does not pass.
 */
@Injectable()
export class StripeEventApplier {
  constructor(
    private readonly database: Database,
    private readonly events: ProviderEventRepository,
    private readonly payments: PaymentCollector,
    private readonly checkouts: CheckoutCompleter,
    private readonly methods: PaymentMethodRepository,
    private readonly customers: CustomerRepository,
  ) {}

  async apply(event: Stripe.Event): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { id, type, created: occurredAt } = event;
      const isFirst = await this.events.record(tx, 'stripe', { id, type, occurredAt });
      if (isFirst && isApplied(event)) await this.#apply(tx, event);
    });
  }

  async #apply(tx: Transaction, event: AppliedEvent): Promise<void> {
    switch (event.type) {
      case 'payment_intent.succeeded':
      case 'payment_intent.payment_failed':
      case 'payment_intent.canceled':
        return this.#applyPayment(tx, event.data.object);
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        return this.#completeCheckout(tx, event.data.object);
      case 'checkout.session.async_payment_failed':
      case 'checkout.session.expired':
        return this.#expireCheckout(tx, event.data.object);
      case 'payment_method.attached':
      case 'payment_method.updated':
      case 'payment_method.automatically_updated':
        return this.#saveMethod(tx, event.data.object, event.created);
      case 'payment_method.detached':
        return this.#saveDetached(tx, event);
      default:
        event satisfies never;
    }
  }

  /** Only payments that this service began have its id; a checkout reports its own. */
  async #applyPayment(tx: Transaction, intent: Stripe.PaymentIntent): Promise<void> {
    const id = intent.metadata['payment_id'];
    if (id !== undefined)
      await this.payments.record(tx, id, outcomeOf(intent), causeOfJob('apply-stripe-events'));
  }

  /** A delayed method, such as a direct debit, completes the checkout before it is paid. */
  async #completeCheckout(tx: Transaction, session: Stripe.Checkout.Session): Promise<void> {
    const id = session.metadata?.['checkout_id'];
    if (id === undefined || session.payment_status !== 'paid') return;
    await this.checkouts.complete(tx, id, session.amount_total ?? 0);
  }

  async #expireCheckout(tx: Transaction, session: Stripe.Checkout.Session): Promise<void> {
    const id = session.metadata?.['checkout_id'];
    if (id !== undefined) await this.checkouts.expire(tx, id);
  }

  async #saveMethod(tx: Transaction, method: Stripe.PaymentMethod, eventAt: number): Promise<void> {
    const accountId = await this.#accountOf(tx, method.customer);
    if (accountId === undefined) return;
    const id = await this.methods.save(tx, { ...newMethod(accountId, method), eventAt });
    if (id !== undefined) await this.methods.makeFirstDefault(tx, accountId, id);
  }

  /** A detached method has no customer any more; the event names the one that it had. */
  async #saveDetached(tx: Transaction, { data }: Stripe.PaymentMethodDetachedEvent): Promise<void> {
    const accountId = await this.#accountOf(tx, data.previous_attributes?.customer);
    if (accountId !== undefined) await this.methods.saveDetached(tx, newMethod(accountId, data.object));
  }

  /** Undefined for a customer that is not of this service. */
  async #accountOf(
    tx: Transaction,
    customer: string | { readonly id?: string } | null | undefined,
  ): Promise<string | undefined> {
    const id = typeof customer === 'string' ? customer : customer?.id;
    return id === undefined ? undefined : this.customers.accountOf(tx, id);
  }
}

function newMethod(accountId: string, method: Stripe.PaymentMethod) {
  return { ...methodDetails(method), id: newId('pm_'), accountId, provider: 'stripe', label: null } as const;
}
