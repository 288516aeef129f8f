/** `ada@example.com` as `a…@example.com`: its owner recognizes it, others who find a link cannot read it. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return at > 1 ? `${first}…${email.slice(at)}` : `…${email.slice(at)}`;
}
