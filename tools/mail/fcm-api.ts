import { randomBytes } from 'node:crypto';
import { membersOf, parseObject, textOf } from './json.ts';
import type { MessageReceiver } from './message-store.ts';

/**
 * An emulator of FCM HTTP v1 for sending: `POST /fcm/token` exchanges an assertion for an access token, as Google's OAuth
 * server does (RFC 7523), and `POST /v1/projects/<id>/messages:send` sends. Signatures are not verified. A registration token
 * that begins with `unregistered` is answered as that of a deleted app.
 */

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const SECONDS = 3_600;

/** Answers a request to the API. Undefined when the request is not for this API. */
export function answerFcmApi(
  inbox: MessageReceiver,
  {
    method,
    path,
    authorization,
    body,
  }: { method: string; path: string; authorization: string; body: string },
): { status: number; value: object } | undefined {
  if (method !== 'POST') return undefined;
  if (path === '/fcm/token') return exchange(new URLSearchParams(body));
  const [, project] = /^\/v1\/projects\/([a-z0-9:.-]+)\/messages:send$/.exec(path) ?? [];
  if (!project) return undefined;
  if (!/^Bearer ya29\.\w+$/.test(authorization))
    return failure(401, 'UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR');
  return send(inbox, project, parseObject(body)?.message ?? {});
}

function exchange(form: URLSearchParams) {
  const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  if (!isGrant || !JWT.test(form.get('assertion') ?? ''))
    return { status: 400, value: { error: 'invalid_grant' } };
  const token = `ya29.${randomBytes(16).toString('hex')}`;
  return { status: 200, value: { access_token: token, expires_in: SECONDS, token_type: 'Bearer' } };
}

function send(inbox: MessageReceiver, project: string, message: unknown) {
  const { token, ...parts } = membersOf(message);
  const notification = membersOf(parts.notification);
  const android = membersOf(parts.android);
  const data = membersOf(parts.data);
  const areTexts = Object.values(data).every((value) => typeof value === 'string');
  if (typeof token !== 'string' || token === '' || !areTexts)
    return failure(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT');
  if (token.startsWith('unregistered')) return failure(404, 'NOT_FOUND', 'UNREGISTERED');
  const name = `projects/${project}/messages/${randomBytes(8).toString('hex')}`;
  inbox.receiveNotification({
    channel: 'push',
    from: `FCM ${project}`,
    to: token,
    title: textOf(notification.title),
    text: [notification.body, data.link_url].join('\n').trim(),
    details: { name, priority: textOf(android.priority), ttl: textOf(android.ttl) },
    content: message,
  });
  return { status: 200, value: { name } };
}

function failure(code: number, status: string, errorCode: string) {
  const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }];
  return { status: code, value: { error: { code, message: status, status, details } } };
}
