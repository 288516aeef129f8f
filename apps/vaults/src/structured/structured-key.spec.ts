import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { StructuredKey, type StructuredIdentity, type ValueTerms } from './structured-key.js';

const ingot: StructuredIdentity = { accountId: 'acc_1', vaultId: 'vlt_1', ingotId: 'ing_1' };
const vaultKey = randomBytes(32);
const terms = (key: StructuredKey, name: string, changes: Partial<ValueTerms> = {}): ValueTerms => ({
  blind: key.blind(name),
  version: 3,
  contentType: 'text/plain',
  ...changes,
});

describe('StructuredKey', () => {
  it('unwraps only with the key of its vault and for its ingot', () => {
    const wrapped = StructuredKey.generate(ingot).wrap(vaultKey);
    expect(wrapped).toHaveLength(129);
    expect(() => StructuredKey.open(vaultKey, ingot, wrapped)).not.toThrow();
    expect(() => StructuredKey.open(randomBytes(32), ingot, wrapped)).toThrow();
    for (const change of [{ accountId: 'acc_2' }, { vaultId: 'vlt_2' }, { ingotId: 'ing_2' }])
      expect(() => StructuredKey.open(vaultKey, { ...ingot, ...change }, wrapped)).toThrow();
  });

  it('computes the same blind index after unwrapping, and another one for another ingot', () => {
    const key = StructuredKey.generate(ingot);
    const again = StructuredKey.open(vaultKey, ingot, key.wrap(vaultKey));
    expect(again.blind('DB_URL')).toEqual(key.blind('DB_URL'));
    expect(StructuredKey.generate(ingot).blind('DB_URL')).not.toEqual(key.blind('DB_URL'));
  });

  it('computes different blind indexes for names whose UTF-8 differs: case, normalization, NUL', () => {
    const key = StructuredKey.generate(ingot);
    const blinds = ['a', 'A', 'é', 'e\u0301', 'a\0', '__proto__'].map((name) =>
      key.blind(name).toString('hex'),
    );
    expect(new Set(blinds).size).toBe(blinds.length);
  });

  it('binds a sealed name to its row: another row, another ingot or a changed byte does not open', () => {
    const key = StructuredKey.generate(ingot);
    const sealed = key.sealName('é,\0', key.blind('x'));
    expect(key.openName(sealed, key.blind('x'))).toBe('é,\0');
    expect(() => key.openName(sealed, key.blind('y'))).toThrow();
    expect(() => StructuredKey.generate(ingot).openName(sealed, key.blind('x'))).toThrow();
    sealed.writeUInt8(sealed.readUInt8(20) ^ 1, 20);
    expect(() => key.openName(sealed, key.blind('x'))).toThrow();
  });

  it('seals the same value differently each time, and opens it only with its associated data', () => {
    const key = StructuredKey.generate(ingot);
    const content = Buffer.from('hunter2');
    const sealed = key.sealValue(content, terms(key, 'x'));
    expect(key.sealValue(content, terms(key, 'x'))).not.toEqual(sealed);
    expect(key.openValue(sealed, terms(key, 'x'))).toEqual(content);
    for (const changed of [
      terms(key, 'y'),
      terms(key, 'x', { version: 4 }),
      terms(key, 'x', { contentType: 'application/json' }),
    ])
      expect(() => key.openValue(sealed, changed)).toThrow();
  });

  it('opens nothing after it was wiped', () => {
    const key = StructuredKey.generate(ingot);
    const sealed = key.sealValue(Buffer.from('hunter2'), terms(key, 'x'));
    key.wipe();
    expect(() => key.openValue(sealed, terms(key, 'x'))).toThrow();
  });
});

describe('a stored structured ingot', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const stored = {
    wrapped: bytes(
      'VksBAQATzzrhrRcPjmixXZKllkRGWs1dinjWBCAZbqei1g9KK1c+1/8kJL3sRy/KCyWbzpoFkvP6/sCbNDHPatSD6D6MXXtvTc7V9wpmQh3RiBQ7+50+BpqWjN8qp9hva0D6JYYPr8kIbmUl4WI0Qg4wn0owk0WrRfBkQ+XJNm7d',
    ),
    blind: bytes('5yjDrprP4CKKvOkYkr7QIoB3ajNayazJ4AQjn16+vFw='),
    sealedName: bytes('Pa3tjxU+x79JvkkGjaqVdPwwJ8nlYH87UfS0AgsI1js20w=='),
    sealedValue: bytes(
      'VkMBAQCpGuXu1U60R6J+UOOo46plLWil4HBwaf5G8P6K6l1P/LStOhM5LYrqXPN6rlEWA4I4EFpACbRyxNHD3kMUsK7wKL9MC4z37083jdG+lqxALJHdf3Pg84r23lY9+a7pZ/+Yl2o=',
    ),
  };

  it('opens in later releases: ids, labels and field order are a format', () => {
    const key = StructuredKey.open(Buffer.alloc(32, 1), ingot, stored.wrapped);
    expect(key.blind('DB_URL')).toEqual(stored.blind);
    expect(key.openName(stored.sealedName, stored.blind)).toBe('DB_URL');
    expect(key.openValue(stored.sealedValue, terms(key, 'DB_URL')).toString()).toBe('hunter2');
  });
});
