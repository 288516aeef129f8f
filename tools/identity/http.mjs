/** Far above two short fields. */
const bodyBytesMax = 16 * 1024;

/** A request body above the limit. */
export class BodyTooLarge extends Error {
  constructor() {
    super(`the body must be at most ${bodyBytesMax} bytes`);
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<string>}
 * @throws {BodyTooLarge}
 */
export async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  if (bytes > bodyBytesMax) throw new BodyTooLarge();
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {object} body
 * @param {Record<string, string>} [headers]
 */
export function sendJson(response, status, body, headers = {}) {
  response.writeHead(status, { ...securityHeaders, 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {import('./pages/page.mjs').Page} page
 */
export function sendPage(response, status, { text, policy }) {
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
  });
  response.end(text);
}

/** The URL of the page contains a code for a moment, so it is neither cached nor sent as a referrer. */
const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
