import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { answerFcmApi } from './fcm-api.mjs';
import { inboxPage } from './page.mjs';
import { PushService } from './push-service.mjs';
import { answerTwilioApi } from './twilio-api.mjs';
import { answerWebhook } from './webhooks.mjs';

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
 * The inbox over HTTP: a page, JSON for scripts and tests (mails in the format of MailDev), and the APIs that receive messages.
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {string} host that it listens on
 */
export function webServer(inbox, host) {
  const push = new PushService();
  return createServer((request, response) => {
    const answering = hasOwnHost(request, host)
      ? answer(inbox, push, request)
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
 * @param {PushService} push
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Answer>}
 */
async function answer(inbox, push, request) {
  const { method = '', url = '/', headers } = request;
  const { pathname: path, searchParams } = new URL(url, 'http://inbox');
  const raw = await bodyOf(request);
  const received = receive(inbox, push, { method, path, headers, raw });
  if (received) return received;
  const [, kind = '', id = '', part = ''] =
    /^\/(email|sms|messages)\/([0-9a-f]+|all)(\/html)?$/.exec(path) ?? [];
  if (method === 'DELETE' && id) return remove(inbox, kind, id);
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET and DELETE are supported.');
  if (path === '/') return page(inbox, searchParams);
  if (path === '/email') return json(200, inbox.list());
  if (path === '/sms') return json(200, inbox.listTexts());
  if (path === '/messages') return json(200, inbox.listAll());
  if (path === '/version') return text(200, String(inbox.version));
  if (Object.hasOwn(assets, path)) return { status: 200, ...assets[/** @type {keyof assets} */ (path)] };
  if (kind === 'messages') return found(openAny(inbox, id));
  return kind === 'sms' ? found(inbox.openText(id)) : mail(inbox, id, part);
}

/**
 * Answers a request of a service that sends a message. Undefined for any other.
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {PushService} push
 * @param {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders, raw: Buffer }} request
 * @returns {Answer | undefined}
 */
function receive(inbox, push, request) {
  const { authorization = '' } = request.headers;
  const sent = { ...request, authorization, body: request.raw.toString() };
  const api = answerTwilioApi(inbox, sent) ?? answerFcmApi(inbox, sent) ?? push.answer(inbox, sent);
  if (api) return json(api.status, api.value);
  const webhook = answerWebhook(inbox, sent);
  return webhook && text(webhook.status, webhook.text);
}

/**
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {string} id
 */
function openAny(inbox, id) {
  return inbox.open(id) ?? inbox.openText(id) ?? inbox.notifications.open(id);
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
  /** @type {Buffer[]} */
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    parts.push(part);
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the request is too long');
  }
  return Buffer.concat(parts);
}

/**
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {URLSearchParams} query
 */
function page(inbox, query) {
  const id = query.get('message') ?? query.get('mail') ?? query.get('sms') ?? '';
  openAny(inbox, id);
  const messages = inbox.listAll().reverse();
  const body = inboxPage(
    messages,
    messages.find((message) => message.id === id),
    inbox.version,
  );
  return { status: 200, type: 'text/html; charset=utf-8', body, policy: pagePolicy };
}

/**
 * @param {import('./message-store.mjs').MessageStore} inbox
 * @param {string} kind
 * @param {string} id
 */
function remove(inbox, kind, id) {
  const isMail = kind === 'email' || kind === 'messages';
  const isText = kind === 'sms' || kind === 'messages';
  const isNotification = kind === 'messages';
  if (id === 'all') {
    if (isMail) inbox.clear();
    if (isText) inbox.clearTexts();
    if (isNotification) inbox.notifications.clear();
    return json(200, true);
  }
  const isRemoved =
    (isMail && inbox.remove(id)) ||
    (isText && inbox.removeText(id)) ||
    (isNotification && inbox.notifications.remove(id));
  return isRemoved ? json(200, true) : found(undefined);
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
