import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { StripeAccount } from './stripe-account.js';
import { refusal, type Answer, type Fields } from './stripe-answers.js';

/** What happens to the next request: its answer is lost after it had its effect, or the server fails before. */
export type Fault = 'answer-lost' | 'hangs' | 500;

interface StripeRequest {
  /** As `POST /v1/customers`. */
  readonly route: string;
  readonly fields: Fields;
  /** The idempotency key. */
  readonly key: string | undefined;
}

/** A server that answers in Stripe's shapes, as far as this service uses them. */
export class StripeServer {
  readonly requests: StripeRequest[] = [];
  readonly #account = new StripeAccount();
  readonly #faults = new Map<string, Fault[]>();
  readonly #answers = new Map<string, { readonly body: string; readonly answer: Answer }>();

  private constructor(private readonly server = createServer()) {}

  static async start(): Promise<StripeServer> {
    const stripe = new StripeServer();
    stripe.server.on('request', (request, response) => void stripe.#receive(request, response));
    stripe.server.listen(0, '127.0.0.1');
    await once(stripe.server, 'listening');
    return stripe;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get intents() {
    return this.#account.intents;
  }

  get attached() {
    return this.#account.attached;
  }

  /** Faults of the next requests to this route, in order. */
  breakNext(route: string, ...faults: Fault[]): void {
    this.#faults.set(route, faults);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://stripe.test');
    const body = await text(request);
    const fields = Object.fromEntries(new URLSearchParams(body || url.search));
    const route = `${request.method} ${url.pathname}`;
    const key = [request.headers['idempotency-key']].flat()[0];
    this.requests.push({ route, fields, key });
    const fault = this.#faults.get(route)?.shift();
    if (fault === 500) return send(response, refusal(500, 'api_error', {}));
    const answer = this.#answerTo({ route, fields, key }, body);
    if (fault === 'answer-lost') return void response.destroy();
    if (fault === undefined) send(response, answer);
  }

  /** Stripe repeats the answer of an idempotency key, and refuses the key for other parameters. */
  #answerTo({ route, fields, key }: StripeRequest, body: string): Answer {
    const known = key === undefined ? undefined : this.#answers.get(key);
    if (known) return known.body === body ? known.answer : refusal(400, 'idempotency_error', {});
    const answer = this.#account.perform(route, fields);
    if (key !== undefined) this.#answers.set(key, { body, answer });
    return answer;
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
