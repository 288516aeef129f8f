import { createServer, type IncomingHttpHeaders } from 'node:http2';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { membersOf, parseObject, textOf, type JsonObject } from './json.ts';
import type { MessageReceiver, MessageStore } from './message-store.ts';
import { FOREIGN_HOST, isOwnHost } from '../stack/own-host.ts';
import { requestSource } from './request-source.ts';

const DEVICE = /^\/3\/device\/([0-9a-fA-F]{8,400})$/;
const PAYLOAD_BYTES_MAX = 4_096;

/**
 * An emulator of APNs: `POST /3/device/<token>` over HTTP/2 without TLS, on a port of its own. Tokens of authentication are
 * not verified. A device token that begins with `dead` is answered as that of a deleted app.
 * @param host that it listens on
 */
export function apnsServer(inbox: MessageStore, host: string) {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {}); // a client that disconnects is not an error
    if (!isOwnHost(headers[':authority'], host))
      return void stream.respond({ ':status': FOREIGN_HOST.status }, { endStream: true });
    text(stream).then(
      (body) => {
        const { status, reason } = answer(inbox.receiverOf(sourceOf(headers, body)), headers, body);
        const id = String(headers['apns-id'] ?? randomUUID());
        stream.respond({ ':status': status, 'apns-id': id });
        stream.end(reason ? JSON.stringify({ reason }) : '');
      },
      () => stream.close(),
    );
  });
  return server;
}

function answer(
  inbox: MessageReceiver,
  headers: IncomingHttpHeaders,
  body: string,
): { status: number; reason?: string } {
  const [, device] = DEVICE.exec(String(headers[':path'])) ?? [];
  if (headers[':method'] !== 'POST') return { status: 405, reason: 'MethodNotAllowed' };
  if (!device) return { status: 400, reason: 'BadDeviceToken' };
  if (!/^bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(headers.authorization ?? ''))
    return { status: 403, reason: 'MissingProviderToken' };
  if (!headers['apns-topic']) return { status: 400, reason: 'MissingTopic' };
  if (Buffer.byteLength(body) > PAYLOAD_BYTES_MAX) return { status: 413, reason: 'PayloadTooLarge' };
  if (device.startsWith('dead')) return { status: 410, reason: 'Unregistered' };
  const content = parseObject(body);
  if (!content) return { status: 400, reason: 'PayloadEmpty' };
  receive(inbox, headers, device, content);
  return { status: 200 };
}

function receive(inbox: MessageReceiver, headers: IncomingHttpHeaders, to: string, content: JsonObject) {
  const { title, body } = membersOf(membersOf(content.aps).alert);
  const shown = Object.entries(headers).filter(([name]) => name.startsWith('apns-'));
  inbox.receiveNotification({
    channel: 'push',
    from: `APNs ${String(headers['apns-topic'])}`,
    to,
    title: textOf(title),
    text: [body, content.link_url].join('\n').trim(),
    details: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
    content,
  });
}

function sourceOf(headers: IncomingHttpHeaders, body: string) {
  const { ':method': method = '', ':path': path = '' } = headers;
  return requestSource({ method, path, headers, raw: Buffer.from(body) });
}
