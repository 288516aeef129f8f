import { domainOfEmail } from '../domains/domain-name.js';

/**
 * The form under which an address is unique. The local part is folded too, against the letter of RFC 5321 (2.4):
 * no provider in use tells `Ann@` from `ann@`, and two accounts for one mailbox would be a door between them. For the
 * same reason the domain is taken as DNS reads it: `exämple.test` and `xn--exmple-cua.test` receive the same mail.
 */
export function emailKey(email: string): string {
  const folded = fold(email);
  const domain = domainOfEmail(folded);
  return domain === undefined ? folded : `${folded.slice(0, folded.lastIndexOf('@'))}@${domain}`;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}
