const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
/** The alphabets of ENT-08 to ENT-10. A password has no backslash (AMB-30). */
const PUNCTUATION = '!@#$%^&*()_+-=[]{}|;:,.<>?';

/** The characters of the formats that are sampled one by one, each character once. */
export const alphabets = {
  alphanumeric: CAPITALS + DIGITS,
  'alphanumeric-mixed': CAPITALS + SMALL + DIGITS,
  password: CAPITALS + SMALL + DIGITS + PUNCTUATION,
  numeric: DIGITS,
} as const;
