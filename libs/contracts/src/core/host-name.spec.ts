import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hostNameOf } from './host-name.js';

const label = (length: number) => 'a'.repeat(length);
/** Of three labels of 63 characters and a last one. */
const name = (last: number) => [label(63), label(63), label(63), label(last)].join('.');

describe('DOM-05 OPEN-46: A host name', () => {
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
    ['example.com。', 'example.com'],
    ['example.com．', 'example.com'],
    ['example.com｡', 'example.com'],
    ['1.example', '1.example'],
    ['a.1b', 'a.1b'],
    ['a.b1', 'a.b1'],
    ['3com.com', '3com.com'],
    ['r3---sn-4g5e6nsz.example', 'r3---sn-4g5e6nsz.example'],
    ['a-1.b-2.example', 'a-1.b-2.example'],
  ])('in the spelling %j is %s', (text, host) => {
    expect(hostNameOf(text)).toBe(host);
  });

  it('is its own spelling, in upper case and with a trailing dot too', () => {
    fc.assert(
      fc.property(fc.domain(), (text) => {
        const host = hostNameOf(text);
        if (host !== undefined) expect(hostNameOf(`${host.toUpperCase()}.`)).toBe(host);
      }),
    );
  });

  it('has letters, digits, hyphens and dots only, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(hostNameOf(`${text}.example`) ?? 'a.b').toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      }),
    );
  });

  it('has at most 253 characters, without the dot of the root (RFC 1035, 2.3.4)', () => {
    expect(name(61)).toHaveLength(253);
    expect(hostNameOf(name(61))).toBe(name(61));
    expect(hostNameOf(`${name(61)}.`)).toBe(name(61));
    expect(hostNameOf(name(62))).toBeUndefined();
  });

  it('has labels of 1 to 63 characters (RFC 1035, 2.3.4)', () => {
    expect(hostNameOf(`${label(63)}.test`)).toBe(`${label(63)}.test`);
    expect(hostNameOf(`${label(64)}.test`)).toBeUndefined();
    expect(hostNameOf('a..test')).toBeUndefined();
  });
});

describe('DOM-08: No host name', () => {
  it.each([
    '',
    ' ',
    '.',
    '..',
    'com',
    'localhost',
    'localhost.',
    'example..com',
    '.example.com',
    'example.com..',
  ])('for the lack of labels is %j', (text) => expect(hostNameOf(text)).toBeUndefined());

  it.each([
    ' example.com',
    'example.com ',
    'exa mple.com',
    'example.com\n',
    '\u00a0example.com',
    '\u3000example.com',
    '-example.com',
    'example-.com',
    'a.-example.com',
    'example.com-',
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
    'a／b.com',
    "example.com'--",
    '\ud800.com',
  ])('for its characters is %j', (text) => expect(hostNameOf(text)).toBeUndefined());

  it.each([
    '192.0.2.1',
    '192.0.2.1.',
    '127.1',
    '3221225985',
    '１９２.0.2.1',
    'example.123',
    'example.1',
    '[::1]',
    '2001:db8::1',
    '::1',
  ])('but an address is %j', (text) => expect(hostNameOf(text)).toBeUndefined());

  it.each(['0x7f.1', '0x7f.0x1', 'example.0x1', 'example.0X'])(
    'but an address in hexadecimal digits is %j (WHATWG URL, ends in a number)',
    (text) => expect(hostNameOf(text)).toBeUndefined(),
  );

  it.each(['xn--a.com', 'xn--.com', 'xn--example-.com', 'xn--99zzzz.com', 'xn--0ca24w.com'])(
    'for a label that encodes nothing, or something else, is %j',
    (text) => expect(hostNameOf(text)).toBeUndefined(),
  );

  it.each(['aב.com', 'ב1٤.com', '1a.דוגמה', 'xn--1-0hcd.com', 'a\u200db.com'])(
    'because it could look like another is %j (RFC 5893)',
    (text) => expect(hostNameOf(text)).toBeUndefined(),
  );
});
