import { readFileSync } from 'node:fs';

/** @typedef {import('../fake-server.mjs').Route} Route */

const types = { css: 'text/css', mjs: 'text/javascript', html: 'text/html' };
const files = ['page.css', 'elements.client.mjs', 'chat.client.mjs', 'blocks.client.mjs', 'crm.client.mjs'];

/**
 * The page of a provider, where a newcomer acts as a person of a workspace or CRM, and the files that it loads.
 * @param {'chat' | 'crma' | 'crmb'} provider
 * @param {string} apiUrl the origin of our API, whose panels a CRM shows in a frame
 * @returns {Map<string, Route>}
 */
export function pageRoutes(provider, apiUrl) {
  const name = provider === 'chat' ? 'chat.html' : 'crm.html';
  const html = read(name).replace('data-provider=""', `data-provider="${provider}"`);
  return new Map([
    ['GET /', () => ({ headers: headersOf(name, apiUrl), body: html })],
    ...files.map(
      (file) =>
        /** @type {[string, Route]} */ ([
          `GET /_page/${file}`,
          () => ({ headers: headersOf(file, apiUrl), body: read(file) }),
        ]),
    ),
  ]);
}

/** @param {string} file */
const read = (file) => readFileSync(new URL(file, import.meta.url), 'utf8');

/**
 * @param {string} file
 * @param {string} apiUrl
 */
function headersOf(file, apiUrl) {
  const type = types[/** @type {keyof typeof types} */ (file.split('.').pop())];
  return {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self'`,
      `connect-src 'self'`,
      `img-src data:`,
      `frame-src ${apiUrl || `'none'`}`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
    ].join('; '),
  };
}
