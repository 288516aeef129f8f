/**
 * @typedef {object} Answer of the inbox over HTTP
 * @property {number} status
 * @property {string} type
 * @property {string | Uint8Array} body
 * @property {string} [policy] its Content-Security-Policy, by default one that permits nothing
 * @property {string} [location] where the browser continues
 */

const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A mail is an untrusted document: no scripts, no external resources, an opaque origin; links open in a new tab. */
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'";

/**
 * @param {string} body HTML of the inbox
 * @returns {Answer}
 */
export function page(body) {
  return { status: 200, type: 'text/html; charset=utf-8', body, policy: pagePolicy };
}

/**
 * @param {string} body a mail's HTML part; its links must not open inside the frame
 * @returns {Answer}
 */
export function mailPart(body) {
  const base = '<base target="_blank">';
  const placed = /<head\b[^>]*>/i.test(body) ? body.replace(/<head\b[^>]*>/i, `$&${base}`) : base + body;
  return { status: 200, type: 'text/html; charset=utf-8', body: placed, policy: mailPolicy };
}

/**
 * @param {number} status
 * @param {unknown} value
 * @returns {Answer}
 */
export function json(status, value) {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/**
 * @param {object | undefined} one
 * @returns {Answer}
 */
export function found(one) {
  return one ? json(200, one) : json(404, { error: 'No such message.' });
}

/**
 * @param {number} status
 * @param {string | Uint8Array} body
 * @returns {Answer}
 */
export function text(status, body) {
  return { status, type: 'text/plain; charset=utf-8', body };
}

/**
 * Leads the browser to a page by GET, after a form was sent.
 * @param {string} location
 * @returns {Answer}
 */
export function seeOther(location) {
  return { ...text(303, ''), location };
}
