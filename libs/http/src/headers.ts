/** Header names and values in turn, as `writeHead` takes them: cheaper than an object and keeps their order. */
export type Headers = readonly string[];

/**
 * On every answer. HSTS as the preload list wants it; no sniffing, framing or referrer; answers hold secrets, so
 * nothing may store them and no other site may embed them.
 */
export const securityHeaders: Headers = [
  'Strict-Transport-Security',
  'max-age=63072000; includeSubDomains; preload',
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/** For answers that are data: a browser that is made to show one runs and loads nothing. */
export const dataHeaders: Headers = [
  ...securityHeaders,
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control',
  'no-store',
];
