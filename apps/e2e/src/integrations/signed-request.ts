import { createHmac, randomInt } from 'node:crypto';
import { newId } from '@vaultsvc/crypto/encoding';
import { retryRateLimited } from '@vaultsvc/testing/http';
import type { Platform } from '@vaultsvc/tools-testing/platform';

/** A request as a provider signs it, or as it arrives. */
export interface SignedRequest {
  readonly target: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One request in one of its forms, and the answer that it must get. */
export interface Attempt {
  readonly name: string;
  readonly request: () => Promise<SignedRequest> | SignedRequest;
  /** Sent before, so that the request is a repetition. */
  readonly isRepeated?: boolean;
  readonly status: number;
  readonly isAnswer?: (text: string) => boolean;
}

export type Mutation = (request: SignedRequest) => SignedRequest;

/** A refusal of the limiter precedes the record of a signature, so that the same request can be sent again. */
export function answerTo(platform: Platform, { target, body, headers }: SignedRequest): Promise<Answer> {
  const send = async () => {
    const response = await fetch(platform.url + target, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    return { status: response.status, text: await response.text() };
  };
  return retryRateLimited(send, ({ status }) => status === 429);
}

/** Signs as crma does. @param target with what its proxy has appended */
export function signedByCrma(platform: Platform, target: string, body: unknown): SignedRequest {
  const text = JSON.stringify(body);
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', platform.providers.settings['CRMA_CLIENT_SECRET'] as string)
    .update(`POST${platform.apiOrigin}${target.replaceAll('%40', '@')}${text}${timestamp}`)
    .digest('base64');
  const headers = { 'X-Crma-Request-Timestamp': timestamp, 'X-Crma-Signature-V3': signature };
  return { target, body: text, headers };
}

/** Signs as the chat platform does. */
export function signedByChat(platform: Platform, path: string, body: string): SignedRequest {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hex = createHmac('sha256', platform.providers.settings['CHATAPP_SIGNING_SECRET'] as string)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const headers = { 'X-Chat-Request-Timestamp': timestamp, 'X-Chat-Signature': `v0=${hex}` };
  return { target: `/v1/apps/chatapp/webhooks/${path}`, body, headers };
}

/** Another character of the same kind, at a random place but the last one, whose base64 may have unused bits. */
export function altered(text: string): string {
  const at = randomInt(text.length - 1);
  const old = text.charAt(at);
  const others = [...(/\d/.test(old) ? '0123456789' : 'abcdefABCDEF')].filter((one) => one !== old);
  return text.slice(0, at) + others[randomInt(others.length)] + text.slice(at + 1);
}

export const withHeader =
  (name: string): Mutation =>
  (request) => ({
    ...request,
    headers: { ...request.headers, [name]: altered(request.headers[name] ?? '') },
  });
export const withoutHeader =
  (name: string): Mutation =>
  ({ headers: { [name]: _, ...headers }, ...request }) => ({ ...request, headers });
export const inTarget =
  (from: RegExp, to: string): Mutation =>
  (request) => ({ ...request, target: request.target.replace(from, to) });
export const longerBody: Mutation = (request) => ({ ...request, body: `${request.body} ` });
export const otherBody: Mutation = (request) => {
  const at = request.body.lastIndexOf('"');
  return { ...request, body: `${request.body.slice(0, at)}x${request.body.slice(at)}` };
};

/** Changes that no signature covers. */
export const harmless: readonly Mutation[] = [
  (request) => request,
  (request) => ({ ...request, headers: { ...request.headers, 'X-Forwarded-Host': 'evil.example' } }),
  ({ headers, ...request }) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  }),
  ({ headers, ...request }) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(headers).reverse()),
  }),
  (request) => ({
    ...request,
    headers: { ...request.headers, Accept: 'text/html', 'User-Agent': newId('u_') },
  }),
];
