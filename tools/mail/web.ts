import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, type IncomingHttpHeaders } from 'node:http';
import { browserScript } from '../build/browser-script.ts';
import { FOREIGN_HOST, isOwnHost } from '../stack/own-host.ts';
import { found, json, text, type Answer } from './answers.ts';
import { answerFcmApi } from './fcm-api.ts';
import type { MessageStore } from './message-store.ts';
import { deleteByForm, remove, showMessage, showPage } from './page-requests.ts';
import { PushService } from './push-service.ts';
import { requestSource } from './request-source.ts';
import { isSameOrigin } from './same-origin.ts';
import { search } from './search.ts';
import { answerTwilioApi } from './twilio-api.ts';
import { answerWebhook } from './webhooks.ts';

/** Longer than clients keep idle connections, so that they do not use one at the moment of its end. */
const KEEP_ALIVE_MS = 65_000;

const BODY_BYTES_MAX = 64 * 1024;

const assets: Record<string, Pick<Answer, 'type' | 'body'>> = {
  '/inbox.css': {
    type: 'text/css; charset=utf-8',
    body: readFileSync(new URL('inbox.css', import.meta.url)),
  },
  '/inbox.js': {
    type: 'text/javascript; charset=utf-8',
    body: browserScript(new URL('inbox.client.ts', import.meta.url)),
  },
};

/**
 * The inbox over HTTP: a page, JSON for scripts and tests (mails in the format of MailDev), and the APIs that receive messages.
 * @param host that it listens on
 */
export function webServer(inbox: MessageStore, host: string) {
  const push = new PushService();
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const answering = isOwnHost(request.headers.host, host)
      ? answer(inbox, push, request)
      : Promise.resolve(text(FOREIGN_HOST.status, FOREIGN_HOST.text));
    answering.then(
      (given) => send(request, response, given),
      () => response.destroy(),
    );
  });
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, type, body, policy = "default-src 'none'", location }: Answer,
) {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(location && { location }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

async function answer(inbox: MessageStore, push: PushService, request: IncomingMessage): Promise<Answer> {
  const { method = '', url = '/', headers } = request;
  const { pathname: path, searchParams } = new URL(url, 'http://inbox');
  const raw = await bodyOf(request);
  const received = receive(inbox, push, { method, path, headers, raw });
  if (received) return received;
  const [, kind = '', id = '', part = ''] =
    /^\/(email|sms|messages)\/([0-9a-f]+|all)(\/html|\/raw|\/delete)?$/.exec(path) ?? [];
  if (method === 'DELETE' || method === 'POST')
    return change(inbox, { method, kind, id, part, headers, body: raw.toString() });
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET, POST and DELETE are supported.');
  if (path === '/') return showPage(inbox, searchParams);
  if (path === '/email') return json(200, inbox.list());
  if (path === '/sms') return json(200, inbox.listTexts());
  if (path === '/messages') return json(200, search(inbox.listAll(), searchParams.get('q') ?? ''));
  if (path === '/version') return text(200, String(inbox.version));
  const asset = Object.hasOwn(assets, path) ? assets[path] : undefined;
  if (asset) return { status: 200, ...asset };
  return showMessage(inbox, kind, id, part);
}

/** Deletes messages: for tools by DELETE, for the page by a form. */
function change(
  inbox: MessageStore,
  {
    method,
    kind,
    id,
    part,
    headers,
    body,
  }: { method: string; kind: string; id: string; part: string; headers: IncomingHttpHeaders; body: string },
): Answer {
  const isForm = method === 'POST' && kind === 'messages' && part === '/delete';
  if (!isForm && (method === 'POST' || id === '' || part !== ''))
    return text(405, 'Messages are deleted by DELETE, and by the forms of the page.');
  if (!isSameOrigin(headers)) return text(403, 'Only pages of this origin may do this.');
  if (isForm) return deleteByForm(inbox, id, body);
  return remove(inbox, kind, id) ? json(200, true) : found(undefined);
}

/** Answers a request of a service that sends a message. Undefined for any other. */
function receive(
  inbox: MessageStore,
  push: PushService,
  request: { method: string; path: string; headers: IncomingHttpHeaders; raw: Buffer },
): Answer | undefined {
  const { authorization = '' } = request.headers;
  const sent = { ...request, authorization, body: request.raw.toString() };
  const receiver = inbox.receiverOf(requestSource(request));
  const api = answerTwilioApi(receiver, sent) ?? answerFcmApi(receiver, sent) ?? push.answer(receiver, sent);
  if (api) return json(api.status, api.value);
  const webhook = answerWebhook(receiver, sent);
  return webhook && text(webhook.status, webhook.text);
}

async function bodyOf(request: IncomingMessage) {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    parts.push(part);
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the request is too long');
  }
  return Buffer.concat(parts);
}
