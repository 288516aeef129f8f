import { securityHeaders, type Headers } from '@vaultsvc/http';
import { NOTHING_LOADS } from '../answer/answers.js';

/**
 * On every answer of link pages' origins: what is behind a link stays with whoever opened it. Nothing
 * keeps it, no search engine lists it, no window of another origin holds on to the page, and no other site is told
 * where the visitor came from.
 */
export const linkHeaders: Headers = [
  ...securityHeaders,
  'Cache-Control',
  'no-store, private',
  'X-Robots-Tag',
  'noindex, nofollow, noarchive',
  'Cross-Origin-Opener-Policy',
  'same-origin',
];

/** Of answers there that are data: a browser that is made to show one runs and loads nothing. */
export const linkDataHeaders: Headers = [...linkHeaders, 'Content-Security-Policy', NOTHING_LOADS];
