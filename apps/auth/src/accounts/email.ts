/**
 * The form under which an address is unique. The local part is folded too, against the letter of RFC 5321 (2.4):
 * no provider in use tells `Ann@` from `ann@`, and two accounts for one mailbox would be a door between them.
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase().normalize('NFKC');
}
