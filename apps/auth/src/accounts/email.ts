const EMAIL_CHARACTERS_MAX = 254; // RFC 5321, 4.5.3.1.3: a path of 256 octets with its angle brackets
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u;

/** Whether a text can be an e-mail address at all. Only a mail that arrives proves more. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text);
}

/**
 * The form under which an address is unique. The local part is folded too, against the letter of RFC 5321 (2.4):
 * no provider in use tells `Ann@` from `ann@`, and two accounts for one mailbox would be a door between them.
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase().normalize('NFKC');
}
