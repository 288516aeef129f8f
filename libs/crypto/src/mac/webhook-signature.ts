import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = { min: 24, max: 64 };

/** The parts that a signature of Standard Webhooks covers. */
export interface WebhookParts {
  /** The same in all attempts, without a full stop. */
  readonly id: string;
  /** Epoch seconds of this attempt. */
  readonly timestamp: number;
  /** The body as it is sent. */
  readonly body: string;
}

/**
 * The symmetric signature of Standard Webhooks 1.0.0 (`webhook-signature`): `v1,` and the base64 of HMAC-SHA-256. Its form is
 * the specification's, so it has neither a label nor length prefixes as the MACs between services.
 * @param secret `whsec_` and 24 to 64 bytes in base64
 * @throws RangeError for any other secret
 */
export function webhookSignature(secret: string, { id, timestamp, body }: WebhookParts): string {
  const code = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${code}`;
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '', 'base64');
  if (key.length < SECRET_BYTES.min || key.length > SECRET_BYTES.max)
    throw new RangeError(`A webhook secret is ${PREFIX} and 24 to 64 bytes in base64`);
  return key;
}
