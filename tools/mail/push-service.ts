import { createECDH, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { decrypt } from 'http_ece';
import { membersOf, parseObject, textOf, type JsonObject } from './json.ts';
import type { MessageReceiver } from './message-store.ts';

/**
 * A push service (RFC 8030) and the browser behind it: `GET /push/subscription` returns the one PushSubscription of this
 * inbox, whose keys it has generated, so it can decrypt what is pushed to it (RFC 8291) and show it. The VAPID signature is
 * required but not verified. Other subscriptions have ended: 410.
 */
export class PushService {
  #keys = createECDH('prime256v1');
  #auth = randomBytes(16);
  #id = randomBytes(12).toString('hex');

  constructor() {
    this.#keys.generateKeys();
  }

  /** Answers a request to the push service. Undefined when the request is not for it. */
  answer(
    inbox: MessageReceiver,
    {
      method,
      path,
      headers,
      raw,
    }: { method: string; path: string; headers: IncomingHttpHeaders; raw: Buffer },
  ): { status: number; value: object } | undefined {
    if (method === 'GET' && path === '/push/subscription')
      return { status: 200, value: this.#subscription(headers) };
    if (method !== 'POST' || !path.startsWith('/push/')) return undefined;
    if (path !== `/push/${this.#id}`) return { status: 410, value: { reason: 'no such subscription' } };
    if (!/^vapid t=[\w.-]+, ?k=[\w-]+$/.test(headers.authorization ?? ''))
      return { status: 401, value: { reason: 'VAPID is missing' } };
    if (!/^\d+$/.test(String(headers.ttl))) return { status: 400, value: { reason: 'TTL is missing' } };
    const content = this.#decrypted(raw);
    if (!content) return { status: 400, value: { reason: 'not encrypted for this subscription' } };
    this.#receive(inbox, path, headers, content);
    return { status: 201, value: {} };
  }

  #subscription({ host }: IncomingHttpHeaders) {
    return {
      endpoint: `http://${host}/push/${this.#id}`,
      expirationTime: null,
      keys: { p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') },
    };
  }

  /** @returns the content; undefined if it is not for this subscription */
  #decrypted(raw: Buffer): JsonObject | undefined {
    try {
      const keys = { privateKey: this.#keys, authSecret: this.#auth };
      return parseObject(decrypt(raw, { version: 'aes128gcm', ...keys }).toString());
    } catch {
      return undefined;
    }
  }

  #receive(inbox: MessageReceiver, to: string, headers: IncomingHttpHeaders, content: JsonObject) {
    const details = Object.fromEntries(
      ['ttl', 'urgency', 'topic', 'content-encoding'].map((name) => [name, String(headers[name] ?? '')]),
    );
    const text = [content.body, membersOf(content.data).link_url].join('\n').trim();
    const title = textOf(content.title);
    inbox.receiveNotification({ channel: 'web_push', from: '', to, title, text, details, content });
  }
}
