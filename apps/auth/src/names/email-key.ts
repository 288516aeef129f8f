import { domainOfEmail } from './domain-name.js';

/**
 * The key under which an address is unique. The local part is case-folded too, although RFC 5321 (2.4) leaves that to its
 * host: no provider in use distinguishes `Ann@` from `ann@`, and two accounts for one mailbox could read each other's mail.
 * For the same reason the domain is converted to its DNS form: `exämple.test` and `xn--exmple-cua.test` are one mailbox.
 */
export function emailKey(email: string): string {
  const folded = fold(email);
  const domain = domainOfEmail(folded);
  return domain === undefined ? folded : `${folded.slice(0, folded.lastIndexOf('@'))}@${domain}`;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}
