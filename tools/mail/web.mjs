import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { inboxPage } from './page.mjs';

const assets = {
  '/inbox.css': {
    type: 'text/css; charset=utf-8',
    body: readFileSync(new URL('inbox.css', import.meta.url)),
  },
  '/inbox.js': {
    type: 'text/javascript; charset=utf-8',
    body: readFileSync(new URL('page-script.mjs', import.meta.url)),
  },
};

const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A mail is a stranger's document: no scripts, nothing from elsewhere, an origin of its own; links open in a new tab. */
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'";

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} type
 * @property {string | Buffer} body
 * @property {string} [policy]
 */

/**
 * The inbox over HTTP: a page for people, and JSON in MailDev's shape for scripts and tests.
 * @param {import('./mailbox.mjs').Inbox} inbox
 * @param {string} host that it listens on
 */
export function webServer(inbox, host) {
  return createServer((request, response) => {
    const {
      status,
      type,
      body,
      policy = "default-src 'none'",
    } = isForUs(request, host) ? answer(inbox, request) : text(421, 'Ask by the name localhost.');
    response.writeHead(status, {
      'content-type': type,
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
}

/**
 * A page of the internet may point its own name at 127.0.0.1 and read the mails from the browser of whoever visits
 * it. Such a request carries that name.
 * @param {import('node:http').IncomingMessage} request
 * @param {string} host
 */
function isForUs({ headers }, host) {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return ['127.0.0.1', 'localhost', '[::1]', host].includes(name);
}

/**
 * @param {import('./mailbox.mjs').Inbox} inbox
 * @param {import('node:http').IncomingMessage} request
 * @returns {Answer}
 */
function answer(inbox, { method = '', url = '/' }) {
  const { pathname, searchParams } = new URL(url, 'http://inbox');
  const [, id = '', part = ''] = /^\/email\/([0-9a-f]+|all)(\/html)?$/.exec(pathname) ?? [];
  if (method === 'DELETE' && id) return remove(inbox, id);
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'GET and DELETE are known here.');
  if (pathname === '/') return page(inbox, searchParams.get('mail') ?? '');
  if (pathname === '/email') return json(200, inbox.list());
  if (pathname === '/version') return text(200, String(inbox.version));
  if (Object.hasOwn(assets, pathname))
    return { status: 200, ...assets[/** @type {keyof assets} */ (pathname)] };
  const mail = inbox.open(id);
  if (!mail) return json(404, { error: 'No such mail.' });
  return part ? html(mail.html ?? '') : json(200, mail);
}

/**
 * @param {import('./mailbox.mjs').Inbox} inbox
 * @param {string} id
 */
function page(inbox, id) {
  const mail = inbox.open(id);
  const body = inboxPage(inbox.list().reverse(), mail, inbox.version);
  return { status: 200, type: 'text/html; charset=utf-8', body, policy: pagePolicy };
}

/**
 * @param {import('./mailbox.mjs').Inbox} inbox
 * @param {string} id
 */
function remove(inbox, id) {
  if (id === 'all') inbox.clear();
  else if (!inbox.remove(id)) return json(404, { error: 'No such mail.' });
  return json(200, true);
}

/** @param {string} body a mail's HTML part; its links must not open inside the frame */
function html(body) {
  const base = '<base target="_blank">';
  const placed = /<head\b[^>]*>/i.test(body) ? body.replace(/<head\b[^>]*>/i, `$&${base}`) : base + body;
  return { status: 200, type: 'text/html; charset=utf-8', body: placed, policy: mailPolicy };
}

/**
 * @param {number} status
 * @param {unknown} value
 */
function json(status, value) {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/**
 * @param {number} status
 * @param {string} body
 */
function text(status, body) {
  return { status, type: 'text/plain; charset=utf-8', body };
}
