import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { newId } from '@vaultsvc/crypto/encoding';

type Fields = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** What happens to the next request: its answer is lost after it had its effect, or the server fails before. */
export type Fault = 'answer-lost' | 'hangs' | 500;

/** A server that answers in Stripe's shapes, as far as this service uses them. */
export interface StripeServer {
  readonly origin: string;
  /** PaymentIntents, oldest first. */
  readonly intents: Intent[];
  /** Requests as `POST /v1/customers`, with their form fields. */
  readonly requests: { readonly route: string; readonly fields: Fields; readonly key: string | undefined }[];
  /** Ids of methods that are attached, with their customer. */
  readonly attached: Map<string, string>;
  /** Faults of the next requests to this route, in order. */
  breakNext(route: string, ...faults: Fault[]): void;
  stop(): Promise<void>;
}

export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly created: number;
  readonly metadata: Fields;
  readonly status: 'succeeded' | 'processing' | 'requires_payment_method';
  readonly last_payment_error: object | null;
}

/** Payment methods whose ids begin like this behave as Stripe's test methods do. */
const DECLINED = 'pm_card_chargeDeclined';
const DELAYED = 'pm_sepaDebit';
const UNKNOWN = 'pm_unknown';
const LOST = 'pm_card_lost';

export async function startStripeServer(): Promise<StripeServer> {
  const intents: Intent[] = [];
  const requests: StripeServer['requests'] = [];
  const attached = new Map<string, string>();
  const faults = new Map<string, Fault[]>();
  const answers = new Map<string, { readonly body: string; readonly answer: Answer }>();

  const perform = (route: string, fields: Fields): Answer => {
    const [, method] = /^POST \/v1\/payment_methods\/(\w+)\/(?:at|de)tach$/.exec(route) ?? [];
    if (method && route.endsWith('/attach')) return attach(method, fields['customer'] ?? '');
    if (method) return detach(method);
    switch (route) {
      case 'POST /v1/customers':
        return ok({ id: newId('cus_'), object: 'customer', metadata: metadataOf(fields) });
      case 'POST /v1/setup_intents':
        return ok({ id: newId('seti_'), object: 'setup_intent', client_secret: newId('seti_secret_') });
      case 'POST /v1/payment_intents':
        return pay(fields);
      case 'GET /v1/payment_intents':
        return ok({
          object: 'list',
          has_more: false,
          data: [...intents].reverse().filter((intent) => intent.customer === fields['customer']),
        });
      case 'POST /v1/checkout/sessions':
        return ok({
          id: newId('cs_test_'),
          object: 'checkout.session',
          url: `https://checkout.test/${fields['client_reference_id']}`,
        });
      case 'POST /v1/billing_portal/sessions':
        return ok({
          id: newId('bps_'),
          object: 'billing_portal.session',
          url: `https://portal.test/${fields['customer']}`,
        });
      default:
        return { status: 404, body: { error: { type: 'invalid_request_error', message: route } } };
    }
  };

  const attach = (method: string, customer: string): Answer => {
    if (method.startsWith(UNKNOWN))
      return refusal(404, 'invalid_request_error', { code: 'resource_missing' });
    if (method.startsWith(LOST))
      return refusal(402, 'card_error', { code: 'card_declined', decline_code: 'lost_card' });
    attached.set(method, customer);
    return ok(methodObject(method, customer));
  };

  const detach = (method: string): Answer => {
    if (!attached.delete(method)) return refusal(400, 'invalid_request_error', { message: 'not attached' });
    return ok(methodObject(method, null));
  };

  const pay = (fields: Fields): Answer => {
    const method = fields['payment_method'] ?? '';
    const declined = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' };
    const isDeclined = method.startsWith(DECLINED);
    const intent: Intent = {
      id: newId('pi_'),
      object: 'payment_intent',
      amount: Number(fields['amount']),
      currency: fields['currency'] ?? '',
      customer: fields['customer'] ?? '',
      created: Math.floor(Date.now() / 1_000),
      metadata: metadataOf(fields),
      status: isDeclined
        ? 'requires_payment_method'
        : method.startsWith(DELAYED)
          ? 'processing'
          : 'succeeded',
      last_payment_error: isDeclined ? declined : null,
    };
    intents.push(intent);
    return isDeclined ? refusal(402, 'card_error', { ...declined, payment_intent: intent }) : ok(intent);
  };

  /** Stripe repeats the answer of an idempotency key, and refuses the key for other parameters. */
  const answerTo = (route: string, body: string, fields: Fields, key: string | undefined): Answer => {
    const known = key === undefined ? undefined : answers.get(key);
    if (known) return known.body === body ? known.answer : refusal(400, 'idempotency_error', {});
    const answer = perform(route, fields);
    if (key !== undefined) answers.set(key, { body, answer });
    return answer;
  };

  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://stripe.test');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const fields = Object.fromEntries(new URLSearchParams(body || url.search));
    const route = `${request.method} ${url.pathname}`;
    const key = [request.headers['idempotency-key']].flat()[0];
    requests.push({ route, fields, key });
    const fault = faults.get(route)?.shift();
    if (fault === 500) return send(response, refusal(500, 'api_error', {}));
    const answer = answerTo(route, body, fields, key);
    if (fault === 'answer-lost') return void response.destroy();
    if (fault === undefined) send(response, answer);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intents,
    requests,
    attached,
    breakNext: (route, ...next) => void faults.set(route, next),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A payment method in Stripe's shape. */
export function methodObject(id: string, customer: string | null, last4 = '4242') {
  const card = { brand: 'visa', last4, exp_month: 12, exp_year: 2034 };
  return { id, object: 'payment_method', type: 'card', customer, card };
}

function ok(body: object): Answer {
  return { status: 200, body };
}

function refusal(status: number, type: string, details: object): Answer {
  return { status, body: { error: { type, message: 'refused', ...details } } };
}

/** `metadata[payment_id]=…` */
function metadataOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
