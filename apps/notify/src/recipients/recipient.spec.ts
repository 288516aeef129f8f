import { describe, expect, it } from '@jest/globals';
import { directoryKeyOf, directoryKeyOfText, distinctRecipients } from './recipient.js';

const labels = (...inputs: Parameters<typeof distinctRecipients>[0]) =>
  distinctRecipients(inputs).map(({ label }) => label);

describe('the recipients of a send', () => {
  it('NTF-04: are texts and objects, mixed', () => {
    expect(
      distinctRecipients([
        'ada@example.com',
        '+4915112345678',
        'user-7',
        { id: 'user-8', phone: '+14155550100' },
      ]),
    ).toEqual([
      { label: 'ada@example.com', id: null, email: 'ada@example.com', phone: null },
      { label: '+4915112345678', id: null, email: null, phone: '+4915112345678' },
      { label: 'user-7', id: 'user-7', email: null, phone: null },
      { label: 'user-8', id: 'user-8', email: null, phone: '+14155550100' },
    ]);
  });

  it('NTF-03: are distinct, whatever the case of an address, in their first order', () => {
    expect(labels('b', 'Ada@Example.com', 'b', 'ada@example.com', { email: 'ADA@example.com' })).toEqual([
      'b',
      'Ada@Example.com',
    ]);
  });

  it('NTF-03 OPEN-59: are distinct, whatever the spelling of a domain', () => {
    expect(labels('x@bücher.test', 'x@xn--bcher-kva.test', { email: 'X@BÜCHER.test' })).toEqual([
      'x@bücher.test',
    ]);
    expect(directoryKeyOfText('x@bücher.test')).toBe('email:x@xn--bcher-kva.test');
  });

  it('NTF-03: gain the addresses of their repetitions', () => {
    expect(
      distinctRecipients([
        'ada@example.com',
        { id: 'user-7', email: 'ada@example.com', phone: '+14155550100' },
      ]),
    ).toEqual([{ label: 'ada@example.com', id: 'user-7', email: 'ada@example.com', phone: '+14155550100' }]);
  });

  it('NTF-03: are one person if a later recipient connects two earlier ones', () => {
    const ada = { id: 'user-7', email: 'ada@example.com' };
    expect(distinctRecipients(['user-7', 'ada@example.com', ada])).toEqual([
      { label: 'user-7', id: 'user-7', email: 'ada@example.com', phone: null },
    ]);
    expect(
      labels('ada@example.com', '+14155550100', { email: 'ada@example.com', phone: '+14155550100' }),
    ).toEqual(['ada@example.com']);
  });

  it('NTF-03: remain two people if they share a telephone or an address under two ids', () => {
    const phone = '+14155550100';
    expect(labels({ id: 'a', phone }, { id: 'b', phone })).toEqual(['a', 'b']);
    expect(labels({ email: 'a@example.com', phone }, { email: 'b@example.com', phone })).toHaveLength(2);
    expect(labels({ id: 'a', email: 'ada@example.com' }, { id: 'b', email: 'ada@example.com' })).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('NTF-35: the directory key of a recipient', () => {
  it('is its id, else its address, and the same for the same text', () => {
    expect(directoryKeyOf({ id: 'user-7', email: 'ada@example.com', phone: null })).toBe('id:user-7');
    expect(directoryKeyOf({ id: null, email: 'Ada@Example.com', phone: '+14155550100' })).toBe(
      'email:ada@example.com',
    );
    expect(['user-7', 'ADA@example.com', '+14155550100'].map(directoryKeyOfText)).toEqual([
      'id:user-7',
      'email:ada@example.com',
      'phone:+14155550100',
    ]);
  });
});
