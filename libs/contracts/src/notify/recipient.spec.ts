import { describe, expect, it } from '@jest/globals';
import { decode } from '../core/decode.js';
import { EMAIL_PROBLEM, PHONE_PROBLEM } from '../core/identity.js';
import { isRecipientText, recipientProblem, Recipients, type RecipientInput } from './recipient.js';

class Send {
  @Recipients() recipients: RecipientInput[];
}

describe('OPEN-59 NTF-04: a text that names a recipient', () => {
  it.each([
    'Ann <ann@x.test>',
    '<ann@x.test>',
    'a..b@x.test',
    'mailto:ann@x.test',
    '"ann"@x.test',
    'ann@x.test;',
  ])('is no id if it has the form of an address and is none: %s', (text) => {
    expect(isRecipientText(text)).toBe(false);
    expect(recipientProblem(text)).toBe(EMAIL_PROBLEM);
  });

  it.each(['+49 30 123456', '+49 (0)30 123456', '+0301234567', '+4930-123456', '+1234567890123456'])(
    'is no id if it has the form of a phone number and is none: %s',
    (text) => {
      expect(isRecipientText(text)).toBe(false);
      expect(recipientProblem(text)).toBe(PHONE_PROBLEM);
    },
  );

  it.each([
    'user-7',
    '@ann.lee',
    '4930123456',
    '+1',
    '00493012345',
    'ann@home',
    'a@b@c.test',
    'c++',
    'x'.repeat(128),
  ])('is an id otherwise: %s', (text) => expect(isRecipientText(text)).toBe(true));

  it('is refused in a time that grows with its length alone', () => {
    const text = `x@${'a.'.repeat(200_000)} x`;
    const start = performance.now();
    expect(() => decode(Send, { recipients: [text] })).toThrow();
    expect(isRecipientText(text)).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000); // it took minutes
  });
});
