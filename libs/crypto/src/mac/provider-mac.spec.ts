import { describe, expect, it } from '@jest/globals';
import { providerMac } from './provider-mac.js';

const secret = 'Jefe';
const text = 'what do ya want for nothing?';

describe('the MAC of a provider', () => {
  it('is the HMAC-SHA-256 of the parts, one after the other (RFC 4231, 4.3)', () => {
    const code = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(providerMac(secret, 'hex', text)).toBe(code);
    expect(providerMac(secret, 'hex', text.slice(0, 5), Buffer.from(text.slice(5)))).toBe(code);
    expect(providerMac(secret, 'base64', text)).toBe(Buffer.from(code, 'hex').toString('base64'));
  });
});
