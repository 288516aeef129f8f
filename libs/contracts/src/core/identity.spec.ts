import { describe, expect, it } from '@jest/globals';
import {
  EMAIL_PROBLEM,
  formerKeysOf,
  identityKey,
  identityTypeOf,
  isEmail,
  isKnownEmail,
  mailboxOf,
  PHONE_PROBLEM,
} from './identity.js';

const label = (length: number) => 'a'.repeat(length);

describe('OPEN-59 SHR-14: an e-mail address', () => {
  it.each([
    'a@b.test',
    "o'hara+tag@sub.example.test",
    'a.b.c@b.test',
    'ü@exämple.test',
    'x@bücher.test',
    'x@xn--bcher-kva.test',
    'ann@example.test.',
    `${label(64)}@b.test`,
    `${label(64)}@${`${label(61)}.`.repeat(3)}a.c`,
    `${'ü'.repeat(32)}@${`${label(61)}.`.repeat(3)}a.c`,
  ])('may be %s', (text) => expect(isEmail(text)).toBe(true));

  it.each([
    '',
    'a',
    'a@b',
    '@b.test',
    'a@.',
    'a b@c.test',
    'a@b@c.test',
    'a@b.test\n',
    'a\u0000@b.test',
    '\u202ea@b.test',
    'a..b@x.test',
    '.a@x.test',
    'a.@x.test',
    'a@x..test',
    'a@.x.test',
    'a@x.test..',
    `${label(65)}@b.test`,
    `${'ü'.repeat(33)}@b.test`,
    `a@${label(64)}.test`,
    `${label(64)}@${`${label(61)}.`.repeat(3)}ab.c`,
    `${label(64)}@${`${label(61)}.`.repeat(3)}a.c.`,
    `${'ü'.repeat(32)}@${`${label(61)}.`.repeat(3)}ab.c`,
    `${'¼'.repeat(20)}@b.test`,
    'a@',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@under_score.test',
    'a@-.test',
    'a＠b@x.test',
    'a，b@x.test',
    'a…b@x.test',
  ])('is not %j', (text) => {
    expect(isEmail(text)).toBe(false);
    expect(identityTypeOf(text)).toBeUndefined();
  });

  it('is refused with the rules that it breaks', () => {
    expect(EMAIL_PROBLEM).toBe(
      'must be an e-mail address such as ann@example.com: at a host name, with 64 octets before the @ at most, and no dot at their ends or beside another',
    );
  });
});

describe('AUTH-12: the address of an old mailbox', () => {
  const domain = `${label(185)}.test`; // 190 characters
  it.each([
    'a..b@x.test',
    '.a.@x.test',
    'a@under_score.test',
    `${label(63)}@${domain}`,
    `${label(64)}@b.test`,
    'a@b.c',
  ])('may be %s', (text) => expect(isKnownEmail(text)).toBe(true));

  it.each([
    'a',
    '@x.test',
    'a@b',
    'a@.test',
    'a@b.',
    'a b@x.test',
    'a@b c.test',
    'a@x.te st',
    'a@b@x.test',
    ' a@x.test',
    'a@x.test ',
    'a,b@x.test',
    'a@x,b.test',
    'a@x.t,est',
    'a@[x].test',
    'a\u0000@x.test',
    'a@x\u0000.test',
    'a@x.test\u0000',
    `${label(65)}@b.test`,
    `${label(64)}@${domain}`,
  ])('is not %j', (text) => expect(isKnownEmail(text)).toBe(false));
});

describe('SHR-14: a phone number', () => {
  it.each(['+4930123456', '+12025550123', '+1234567', '+123456789012345'])('may be %s', (text) =>
    expect(identityTypeOf(text)).toBe('phone'),
  );
  it.each([
    'abc',
    '',
    '+',
    '0044201234567',
    '+0123456789',
    '+49 30 123456',
    '+123456',
    '+1234567890123456',
    'x+4930123456',
    '+4930123456x',
    '+4930123456\n',
    '4930123456',
  ])('is not %j', (text) => expect(identityTypeOf(text)).toBeUndefined());

  it('is refused with the rules that it breaks', () => {
    expect(PHONE_PROBLEM).toBe(
      'must be an E.164 phone number such as +4930123456: a plus and 7 to 15 digits, without spaces and without the 0 of a national number',
    );
  });
});

describe('OPEN-59 OPEN-25: identities are compared', () => {
  it('without regard to the spelling of a mailbox', () => {
    for (const same of [
      'ann@exämple.test',
      'Ann@EXÄMPLE.test',
      'ann@xn--exmple-cua.test',
      'ANN@XN--EXMPLE-CUA.TEST',
      'ann@exa\u0308mple.test',
      'ann@exämple.test.',
      'Ａnn@exämple.test',
    ])
      expect(identityKey(same)).toBe('ann@xn--exmple-cua.test');
    expect(identityKey('Ｕnn@Example.TEST')).toBe('unn@example.test');
  });

  it.each([
    ['Ann.B@Example.test', 'ann.b@example.test'],
    ['a..b@example.test', 'a..b@example.test'],
    ['ü@example.test', 'ü@example.test'],
    ['+4930123456', '+4930123456'],
    ['J\u030cim@x.test', '\u01f0im@x.test'],
    ['\u{1d6a8}@x.test', 'α@x.test'],
    ['Ann@ÄB_C.test', 'ann@äb_c.test'],
  ])('as before: %s by %s', (identity, key) => expect(identityKey(identity)).toBe(key));

  it.each([
    ['ann@example.test', 'ann@exämple.test'],
    ['a.nn@example.test', 'ann@example.test'],
    ['ann+x@example.test', 'ann@example.test'],
    ['x@οδος.test', 'x@ΟΔΟΣ.test'],
  ])('and %s is not %s', (one, other) => expect(identityKey(one)).not.toBe(identityKey(other)));
});

describe('OPEN-25: mail for an identity', () => {
  it.each([
    ['Ann@Bücher.test', 'Ann@xn--bcher-kva.test'],
    ['Ann@Example.test.', 'Ann@example.test'],
    ['ªnn@example.test', 'ann@example.test'],
    ['\u210bnn@example.test', 'hnn@example.test'],
    ['+4930123456', '+4930123456'],
  ])('to %s goes to %s', (identity, to) => expect(mailboxOf(identity)).toBe(to));

  it.each(['Ann@Bücher.test', 'ªnn@example.test', 'K@x.test', 'x@ΟΔΟΣ.test', 'İ@x.test', '+4930123456'])(
    'reaches the mailbox that proves it: %s',
    (identity) => expect(identityKey(mailboxOf(identity))).toBe(identityKey(identity)),
  );
});

describe('OPEN-64: what was stored by a former key', () => {
  it.each([
    ['Ann@Bücher.test', ['ann@xn--bcher-kva.test', 'ann@bücher.test']],
    ['ann@xn--bcher-kva.test', ['ann@xn--bcher-kva.test', 'ann@bücher.test']],
    ['Ann@Example.test', ['ann@example.test']],
    ['Ann@exa mple.test', ['ann@exa mple.test']],
    ['+4930123456', ['+4930123456']],
  ])('is found for %s', (identity, keys) => expect(formerKeysOf(identity)).toEqual(keys));
});
