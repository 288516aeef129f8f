/** The form fields of a request. */
export type Fields = Readonly<Record<string, string>>;

/** An answer in Stripe's shape. */
export interface Answer {
  readonly status: number;
  readonly body: object;
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

/** A payment method in Stripe's shape. */
export function methodObject(id: string, customer: string | null, last4 = '4242') {
  const card = { brand: 'visa', last4, exp_month: 12, exp_year: 2034 };
  return { id, object: 'payment_method', type: 'card', customer, card };
}

export function ok(body: object): Answer {
  return { status: 200, body };
}

export function refusal(status: number, type: string, details: object): Answer {
  return { status, body: { error: { type, message: 'refused', ...details } } };
}

/** `metadata[payment_id]=…` */
export function metadataOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}
