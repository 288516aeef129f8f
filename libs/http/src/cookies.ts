/** RFC 6265, 4.1.1: a cookie-octet is printable ASCII without blank, double quote, comma, semicolon and backslash. */
const OCTETS = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Browsers put one blank after a semicolon; a proxy that joins two header lines may add blanks and tabs. */
const BETWEEN_PAIRS = /;[ \t]*/;

/**
 * The value of the cookie of this name, or undefined. Strict, because the value decides whose session it is: names match
 * exactly, quotes stay, nothing is decoded. A name that occurs twice yields undefined: another site may have set one of
 * the two, and their order does not tell which (RFC 6265, 5.4).
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
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
 * A `Set-Cookie` header for a cookie that scripts cannot read, other hosts cannot set, and only pages of the same site
 * send. Browsers refuse a `__Host-` cookie without Secure, with a Domain, or with another Path (RFC 6265bis, 4.1.3.2).
 * Zero seconds delete the cookie. Throws for a value that is not made of cookie octets, which could add attributes.
 */
export function hostCookie(name: `__Host-${string}`, value: string, maxAgeSeconds: number): string {
  if (!OCTETS.test(value)) throw new Error(`the value of the cookie ${name} is not made of cookie octets`);
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
}
