import { describe, expect, it } from '@jest/globals';
import { sealedCategories } from '@vaultsvc/contracts/notify';
import { whySealed, type PlaintextDelivery } from './sealing-mode.js';

const allowed: PlaintextDelivery = {
  category: 'news',
  hasIngot: false,
  contentType: 'text/plain; charset=utf-8',
  channels: ['email'],
  recipients: 50,
  historyDays: 7,
};
const sealed = (changes: Partial<PlaintextDelivery>, additional: string[] = []) =>
  whySealed({ ...allowed, ...changes }, additional);

describe('a plaintext delivery of a first-party flow', () => {
  it('NTF-26: carries text or HTML by e-mail to at most 50 recipients, for at most 7 days', () => {
    expect(sealed({})).toBeUndefined();
    expect(sealed({ contentType: 'TEXT/HTML', category: null })).toBeUndefined();
  });

  it.each<[string, Partial<PlaintextDelivery>]>([
    ['an ingot', { hasIngot: true }],
    ['another type', { contentType: 'application/pdf' }],
    ['a type that only begins so', { contentType: 'text/plainer' }],
    ['another channel too', { channels: ['email', 'sms'] }],
    ['no channel', { channels: [] }],
    ['51 recipients', { recipients: 51 }],
    ['8 days', { historyDays: 8 }],
  ])('NTF-26: is refused with %s', (_, changes) => {
    expect(sealed(changes)).toEqual(expect.any(String));
  });

  it.each([...sealedCategories])(
    'NTF-25: is refused in the category %s, whatever the account adds',
    (category) => {
      expect(sealed({ category })).toBe(`the category ${category} is always sealed`);
      expect(sealed({ category }, ['other'])).toBe(`the category ${category} is always sealed`);
    },
  );

  it('NTF-25: is refused in categories that the account adds', () => {
    expect(sealed({ category: 'payroll' })).toBeUndefined();
    expect(sealed({ category: 'payroll' }, ['payroll'])).toContain('payroll');
  });

  it('NTF-25: is refused in a category that differs in case only', () => {
    expect(sealed({ category: 'Secure' })).toContain('always sealed');
    expect(sealed({ category: 'payroll' }, ['PAYROLL'])).toContain('always sealed');
  });
});
