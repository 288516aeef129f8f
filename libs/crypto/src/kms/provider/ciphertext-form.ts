/** The providers of key management. */
export type ProviderName = 'aws' | 'transit' | 'file';

/**
 * The first bytes of a ciphertext: two letters and the version of the form. A ciphertext of AWS KMS is stored as AWS returns it,
 * which begins with a byte below 0x20.
 */
const FORMS = { transit: Buffer.from('VT\u0001'), file: Buffer.from('VF\u0001') } as const;

/** The stored form of a provider's own ciphertext. */
export function withForm(provider: keyof typeof FORMS, ciphertext: Buffer): Buffer {
  return Buffer.concat([FORMS[provider], ciphertext]);
}

/** The provider's own ciphertext, from its stored form. */
export function withoutForm(provider: keyof typeof FORMS, wrapped: Buffer): Buffer {
  return wrapped.subarray(FORMS[provider].length);
}

/** The provider whose form a stored ciphertext has. */
export function providerOf(wrapped: Buffer): ProviderName {
  const found = (['transit', 'file'] as const).find((name) => wrapped.indexOf(FORMS[name]) === 0);
  return found ?? 'aws';
}
