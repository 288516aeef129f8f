import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { webhookSignature } from './webhook-signature.js';

/** The example of Standard Webhooks 1.0.0. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const parts = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };

describe('NTF-43: the signature of a webhook', () => {
  it('is that of Standard Webhooks', () => {
    expect(webhookSignature(secret, parts)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('covers id, time and body', () => {
    const changes = [{ id: 'msg_2' }, { timestamp: parts.timestamp + 1 }, { body: `${parts.body} ` }];
    const signatures = [{}, ...changes].map((change) => webhookSignature(secret, { ...parts, ...change }));
    expect(new Set(signatures).size).toBe(4);
  });

  it.each([24, 64])('takes a secret of %i bytes', (bytes) => {
    const key = Buffer.alloc(bytes, 7);
    const code = createHmac('sha256', key).update(`${parts.id}.1614265330.${parts.body}`).digest('base64');
    expect(webhookSignature(`whsec_${key.toString('base64')}`, parts)).toBe(`v1,${code}`);
  });

  it.each(['', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(88)}`])(
    'needs a secret of 24 to 64 bytes: %j',
    (bad) => {
      expect(() => webhookSignature(bad, parts)).toThrow(
        new RangeError('A webhook secret is whsec_ and 24 to 64 bytes in base64'),
      );
    },
  );
});
