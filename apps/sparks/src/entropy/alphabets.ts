const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
/** All of D2§4.1. The backslash there is the escape of a table cell and no character of a password (AMB-30). */
const PUNCTUATION = '!@#$%^&*()_+-=[]{}|;:,.<>?';

/** The characters of the formats that are sampled one by one, each character once. */
export const alphabets = {
  alphanumeric: CAPITALS + DIGITS,
  'alphanumeric-mixed': CAPITALS + SMALL + DIGITS,
  password: CAPITALS + SMALL + DIGITS + PUNCTUATION,
  numeric: DIGITS,
} as const;
