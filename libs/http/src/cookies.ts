/** RFC 6265, 4.1.1: a cookie-octet is printable ASCII without blank, double quote, comma, semicolon and backslash. */
const OCTETS = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Browsers put one blank behind a semicolon; a proxy that joins two header lines may put others. No other white space. */
const BETWEEN_PAIRS = /;[ \t]*/;

/**
 * The value of the one cookie of this name, or undefined. Strict, because what is read decides whose session it is: names
 * match to the letter, quotes are not taken off, nothing is decoded. Two cookies of one name are none: one of them may
 * have been planted, and the order in which browsers send them says nothing of who set them (RFC 6265, 5.4).
 */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const prefix = `${name}=`;
  const values = header
    .split(BETWEEN_PAIRS)
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [value] = values;
  return values.length === 1 && value !== '' && OCTETS.test(value as string) ? value : undefined;
}

/**
 * A `Set-Cookie` of a cookie that scripts cannot read, that no other host can set, and that only pages of the same site
 * send: a name that begins with `__Host-` obliges browsers to refuse it without Secure, with a Domain, or with another
 * Path (RFC 6265bis, 4.1.3.2). Zero seconds delete it. Throws for a value that would run over into the attributes.
 */
export function hostCookie(name: `__Host-${string}`, value: string, maxAgeSeconds: number): string {
  if (!OCTETS.test(value)) throw new Error(`the value of the cookie ${name} is not made of cookie octets`);
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
}
