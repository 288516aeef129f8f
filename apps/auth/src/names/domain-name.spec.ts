import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { domainNameOf, domainOfEmail, normalizeDomain } from './domain-name.js';

const label = (length: number) => 'a'.repeat(length);
/** Four labels and their dots: 240 characters. */
const long = `${label(59)}.`.repeat(4);

describe('DOM-05 OPEN-46: normalizing a domain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com.', 'example.com'],
    ['a.b.c.example.com', 'a.b.c.example.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['MÜNCHEN.De.', 'xn--mnchen-3ya.de'],
    ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
    ['XN--MNCHEN-3YA.DE', 'xn--mnchen-3ya.de'],
    ['faß.de', 'xn--fa-hia.de'],
    ['中国.中国', 'xn--fiqs8s.xn--fiqs8s'],
    ['דוגמה.example', 'xn--6dbbec0c.example'],
    ['ΟΔΟΣ.example', 'xn--pxavbq.example'],
    ['ႶႡ.example', 'xn--skjzb.example'],
    ['ｅｘａｍｐｌｅ。com', 'example.com'],
    ['1.example', '1.example'],
    ['3com.com', '3com.com'],
    ['r3---sn-4g5e6nsz.example', 'r3---sn-4g5e6nsz.example'],
    [`${label(63)}.com`, `${label(63)}.com`],
  ])('turns %j into %s', (text, domain) => {
    expect(normalizeDomain(text)).toBe(domain);
  });

  it('is idempotent for any domain, in upper case and with a trailing dot too', () => {
    fc.assert(
      fc.property(fc.domain(), (text) => {
        const domain = domainNameOf(text);
        if (domain !== undefined) expect(domainNameOf(`${domain.toUpperCase()}.`)).toBe(domain);
      }),
    );
  });

  it('gives letters, digits, hyphens and dots only, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(domainNameOf(`${text}.example`) ?? 'a.b').toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      }),
    );
  });
});

describe('DOM-08: validating a domain', () => {
  it.each([
    '',
    ' ',
    '.',
    '..',
    'com',
    'localhost',
    ' example.com',
    'example.com ',
    'exa mple.com',
    'example.com\n',
    '\u00a0example.com',
    '\u3000example.com',
    'example..com',
    '.example.com',
    'example.com..',
    '-example.com',
    'example-.com',
    'exa_mple.com',
    '_vaultsvc.example.com',
    '*.example.com',
    'https://example.com',
    'example.com/',
    'example.com/path',
    'example.com?q',
    'example.com#f',
    'example.com:443',
    'ann@example.com',
    'ex%61mple.com',
    'example\\.com',
    'example.com,example.org',
    '192.0.2.1',
    '192.0.2.1.',
    '127.1',
    '0x7f.1',
    '0x7f.0x1',
    '3221225985',
    '１９２.0.2.1',
    'example.123',
    '[::1]',
    '2001:db8::1',
    '::1',
    `${label(64)}.com`,
    'xn--a.com',
    'xn--.com',
    'xn--example-.com',
    'xn--99zzzz.com',
    'xn--0ca24w.com',
    'aב.com',
    'ב1٤.com',
    '1a.דוגמה',
    '\ud800.com',
    'a／b.com',
    "example.com'--",
  ])('rejects %j', (text) => {
    expect(domainNameOf(text)).toBeUndefined();
    expect(() => normalizeDomain(text)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: { fields: [{ field: 'domain', message: expect.stringContaining('host name') }] },
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
