import { describe, expect, it } from '@jest/globals';
import { domainNameOf, domainOfEmail, normalizeDomain } from './domain-name.js';

const label = (length: number) => 'a'.repeat(length);
/** Four labels and their dots: 240 characters. */
const long = `${label(59)}.`.repeat(4);

describe('DOM-05 DOM-08: a claimed domain', () => {
  it('is stored as a host name (libs/contracts)', () => {
    expect(normalizeDomain('MÜNCHEN.De.')).toBe('xn--mnchen-3ya.de');
  });

  it.each(['localhost', 'https://example.com', '192.0.2.1'])('is not %s: the answer says why', (text) => {
    expect(() => normalizeDomain(text)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        status: 400,
        details: {
          fields: [
            {
              field: 'domain',
              message: 'domain must be a host name like example.com: no address, URL, port or blank',
            },
          ],
        },
      }),
    );
  });

  it('accepts names of up to 243 characters, so that the name of the record fits into 253', () => {
    expect(domainNameOf(`${long}com`)).toBe(`${long}com`);
    expect(domainNameOf(`${long}com.`)).toBe(`${long}com`);
    expect(domainNameOf(`${long}info`)).toBeUndefined();
  });
});

describe('DOM-13 AUTH-12: domainOfEmail', () => {
  it.each([
    ['ann@example.com', 'example.com'],
    ['Ann@EXAMPLE.Com', 'example.com'],
    ['ann@example.com.', 'example.com'],
    ['ann@münchen.de', 'xn--mnchen-3ya.de'],
    ['"a@b"@example.com', 'example.com'],
    ['ann@sub.example.com', 'sub.example.com'],
  ])('maps %s to %s', (email, domain) => {
    expect(domainOfEmail(email)).toBe(domain);
  });

  it.each(['ann@[192.0.2.1]', 'ann@192.0.2.1', 'ann@localhost', 'ann'])('maps %s to no domain', (email) => {
    expect(domainOfEmail(email)).toBeUndefined();
  });
});
