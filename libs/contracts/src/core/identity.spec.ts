import { describe, expect, it } from '@jest/globals';
import { formerKeysOf, identityKey, identityTypeOf, isEmail, isKnownEmail, mailboxOf } from './identity.js';

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

  it('of an old mailbox stays known, although its dots let it not be invited', () => {
    expect(isKnownEmail('a..b@x.test')).toBe(true);
    expect(isKnownEmail('a@b')).toBe(false);
  });
});

describe('SHR-14: a phone number', () => {
  it.each(['+4930123456', '+12025550123'])('may be %s', (text) => expect(identityTypeOf(text)).toBe('phone'));
  it.each(['abc', '0044201234567', '+0123456789', '+49 30 123456', '+1234567890123456'])(
    'is not %s',
    (text) => expect(identityTypeOf(text)).toBeUndefined(),
  );
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
    ['+4930123456', ['+4930123456']],
  ])('is found for %s', (identity, keys) => expect(formerKeysOf(identity)).toEqual(keys));
});
