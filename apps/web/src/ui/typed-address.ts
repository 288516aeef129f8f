const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;
const PHONE = /^\+[\d\s().-]{7,}$/u;

export const isEmail = (text: string): boolean => EMAIL.test(text.trim());

/**
 * Reads an address that a person typed, in the form that the API takes: an e-mail address, or a phone number without separators.
 * Undefined for any other text.
 */
export function addressOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (isEmail(trimmed)) return trimmed;
  return PHONE.test(trimmed) ? `+${trimmed.replaceAll(/\D/gu, '')}` : undefined;
}
