import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { inboxPage } from './page.mjs';
import { answerSmsApi } from './sms-api.mjs';

const BODY_BYTES_MAX = 64 * 1024;

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

/** A mail is an untrusted document: no scripts, no external resources, an opaque origin; links open in a new tab. */
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
 * The inbox over HTTP: a page, JSON in the format of MailDev for scripts and tests, and the SMS API.
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {string} host that it listens on
 */
export function webServer(inbox, host) {
  return createServer((request, response) => {
    const answering = hasOwnHost(request, host)
      ? answer(inbox, request)
      : Promise.resolve(text(421, 'Use the host name localhost.'));
    answering.then(
      (given) => send(request, response, given),
      () => response.destroy(),
    );
  });
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {Answer} answer
 */
function send({ method }, response, { status, type, body, policy = "default-src 'none'" }) {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/**
 * Prevents DNS rebinding: a website may resolve its own host name to 127.0.0.1 and read the mails by a visitor's browser.
 * Such a request has that name in its Host header.
 * @param {import('node:http').IncomingMessage} request
 * @param {string} host
 */
function hasOwnHost({ headers }, host) {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return ['127.0.0.1', 'localhost', '[::1]', host].includes(name);
}

/**
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Answer>}
 */
async function answer(inbox, request) {
  const { method = '', url = '/', headers } = request;
  const { pathname: path, searchParams } = new URL(url, 'http://inbox');
  const body = await bodyOf(request);
  const sms = answerSmsApi(inbox, { method, path, authorization: headers.authorization ?? '', body });
  if (sms) return json(sms.status, sms.value);
  const [, kind = '', id = '', part = ''] = /^\/(email|sms)\/([0-9a-f]+|all)(\/html)?$/.exec(path) ?? [];
  if (method === 'DELETE' && id) return remove(inbox, kind, id);
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET and DELETE are supported.');
  if (path === '/') return page(inbox, searchParams);
  if (path === '/email') return json(200, inbox.list());
  if (path === '/sms') return json(200, inbox.listTexts());
  if (path === '/version') return text(200, String(inbox.version));
  if (Object.hasOwn(assets, path)) return { status: 200, ...assets[/** @type {keyof assets} */ (path)] };
  return kind === 'sms' ? found(inbox.openText(id)) : mail(inbox, id, part);
}

/**
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {string} id
 * @param {string} part
 */
function mail(inbox, id, part) {
  const opened = inbox.open(id);
  return opened && part ? html(opened.html ?? '') : found(opened);
}

/** @param {object | undefined} one */
function found(one) {
  return one ? json(200, one) : json(404, { error: 'No such message.' });
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  request.setEncoding('utf8');
  let body = '';
  for await (const part of request) {
    body += part;
    if (body.length > BODY_BYTES_MAX) throw new Error('the request is too long');
  }
  return body;
}

/**
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {URLSearchParams} query
 */
function page(inbox, query) {
  const chosen = inbox.open(query.get('mail') ?? '') ?? inbox.openText(query.get('sms') ?? '');
  const messages = [...inbox.list(), ...inbox.listTexts()].sort((a, b) => (a.time < b.time ? 1 : -1));
  const body = inboxPage(messages, chosen, inbox.version);
  return { status: 200, type: 'text/html; charset=utf-8', body, policy: pagePolicy };
}

/**
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {string} kind
 * @param {string} id
 */
function remove(inbox, kind, id) {
  const isText = kind === 'sms';
  if (id !== 'all' && !(isText ? inbox.removeText(id) : inbox.remove(id))) return found(undefined);
  if (id === 'all' && isText) inbox.clearTexts();
  if (id === 'all' && !isText) inbox.clear();
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
