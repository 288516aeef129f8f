import { newId } from '@vaultsvc/crypto/encoding';
import {
  metadataOf,
  methodObject,
  ok,
  refusal,
  type Answer,
  type Fields,
  type Intent,
} from './stripe-answers.js';

/** Payment methods whose ids begin like this behave as Stripe's test methods do. */
const DECLINED = 'pm_card_chargeDeclined';
const DELAYED = 'pm_sepaDebit';
const UNKNOWN = 'pm_unknown';
const LOST = 'pm_card_lost';

const INSUFFICIENT_FUNDS = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'insufficient_funds',
};

/** What Stripe keeps for an account, as far as this service uses it. */
export class StripeAccount {
  /** PaymentIntents, oldest first. */
  readonly intents: Intent[] = [];
  /** Ids of methods that are attached, with their customer. */
  readonly attached = new Map<string, string>();

  /** @param route as `POST /v1/customers` */
  perform(route: string, fields: Fields): Answer {
    const [, method, action] = /^POST \/v1\/payment_methods\/(\w+)\/(attach|detach)$/.exec(route) ?? [];
    if (method)
      return action === 'attach' ? this.#attach(method, fields['customer'] ?? '') : this.#detach(method);
    switch (route) {
      case 'POST /v1/customers':
        return ok({ id: newId('cus_'), object: 'customer', metadata: metadataOf(fields) });
      case 'POST /v1/setup_intents':
        return ok({ id: newId('seti_'), object: 'setup_intent', client_secret: newId('seti_secret_') });
      case 'POST /v1/payment_intents':
        return this.#pay(fields);
      case 'GET /v1/payment_intents':
        return ok(this.#intentsOf(fields['customer']));
      case 'POST /v1/checkout/sessions':
        return ok(checkoutSession(fields['client_reference_id']));
      case 'POST /v1/billing_portal/sessions':
        return ok(portalSession(fields['customer']));
      default:
        return { status: 404, body: { error: { type: 'invalid_request_error', message: route } } };
    }
  }

  #attach(method: string, customer: string): Answer {
    if (method.startsWith(UNKNOWN))
      return refusal(404, 'invalid_request_error', { code: 'resource_missing' });
    if (method.startsWith(LOST))
      return refusal(402, 'card_error', { code: 'card_declined', decline_code: 'lost_card' });
    this.attached.set(method, customer);
    return ok(methodObject(method, customer));
  }

  #detach(method: string): Answer {
    if (!this.attached.delete(method))
      return refusal(400, 'invalid_request_error', { message: 'not attached' });
    return ok(methodObject(method, null));
  }

  #pay(fields: Fields): Answer {
    const intent = intentOf(fields);
    this.intents.push(intent);
    return intent.last_payment_error
      ? refusal(402, 'card_error', { ...intent.last_payment_error, payment_intent: intent })
      : ok(intent);
  }

  #intentsOf(customer: string | undefined) {
    const data = this.intents.toReversed().filter((intent) => intent.customer === customer);
    return { object: 'list', has_more: false, data };
  }
}

function intentOf(fields: Fields): Intent {
  const method = fields['payment_method'] ?? '';
  return {
    id: newId('pi_'),
    object: 'payment_intent',
    amount: Number(fields['amount']),
    currency: fields['currency'] ?? '',
    customer: fields['customer'] ?? '',
    created: Math.floor(Date.now() / 1_000),
    metadata: metadataOf(fields),
    status: statusAfter(method),
    last_payment_error: method.startsWith(DECLINED) ? INSUFFICIENT_FUNDS : null,
  };
}

/** The status of a payment by this method. */
function statusAfter(method: string): Intent['status'] {
  if (method.startsWith(DECLINED)) return 'requires_payment_method';
  return method.startsWith(DELAYED) ? 'processing' : 'succeeded';
}

function checkoutSession(reference: string | undefined) {
  return { id: newId('cs_test_'), object: 'checkout.session', url: `https://checkout.test/${reference}` };
}

function portalSession(customer: string | undefined) {
  return { id: newId('bps_'), object: 'billing_portal.session', url: `https://portal.test/${customer}` };
}
