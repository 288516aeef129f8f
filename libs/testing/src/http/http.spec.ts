import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Int, operation } from '@vaultsvc/contracts';
import { api, RuleViolation } from './index.js';

class Data {
  @Int({ max: 9 }) number: number;
}
const read = operation({
  name: 'widgets.read',
  summary: '',
  http: { method: 'GET', path: '/v1/widget', status: 200 },
  access: { credential: 'none' },
  reply: Data,
});

const COOKIE = '__Host-vk_refresh=v; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000';
const requestId = 'req_0123456789abcdefghijkl';
const goodHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=1',
};
const meta = { api_version: '1', request_id: requestId, response_ms: 1, timestamp: 5 };
const good = { data: { number: 1 }, meta };
const refusal = {
  error: {
    code: 'NOT_FOUND',
    message: 'No.',
    details: { reason: 'VAULT_NOT_FOUND', docs: 'https://api.test/docs/errors#VAULT_NOT_FOUND' },
  },
  meta: { api_version: '1', request_id: requestId },
};

/** The next response of the server. */
let next: { status: number; headers: OutgoingHttpHeaders; body: object };
let server: Server;
beforeAll(async () => {
  server = createServer((_, response) =>
    response.writeHead(next.status, next.headers).end(JSON.stringify(next.body)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const answer = (body: object, status = 200, headers: OutgoingHttpHeaders = {}) => {
  next = { status, headers: { ...goodHeaders, ...headers }, body };
  return api(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).call(read, {});
};

describe('ENV-04 ENV-05 ENV-08: api() accepts', () => {
  it('a valid success and a valid refusal', async () => {
    expect(await answer(good)).toMatchObject({ data: { number: 1 } });
    expect(await answer(refusal, 404)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });
});

describe('ENV-04 ENV-05 ENV-08: api() rejects', () => {
  it.each([
    ['a member beside data and meta', { ...good, more: 1 }],
    ['a missing response_ms', { ...good, meta: { ...meta, response_ms: undefined } }],
    ['a response_ms with a fraction', { ...good, meta: { ...meta, response_ms: 1.5 } }],
    ['a timestamp in milliseconds', { ...good, meta: { ...meta, timestamp: 1_790_000_000_000 } }],
    ['a request id that differs from the header', { ...good, meta: { ...meta, request_id: 'req_x' } }],
    ['data that the contract does not declare', { ...good, data: { number: 1, more: 2 } }],
    ['a time in milliseconds', { ...good, data: { number: 1, made_at: 1_790_000_000_000 } }],
  ])('%s', async (_, body) => {
    await expect(answer(body)).rejects.toBeInstanceOf(RuleViolation);
  });

  it.each([
    ['an ETag', { etag: '"x"' }],
    ['a software name', { 'x-powered-by': 'x' }],
    ['a response that may be stored', { 'cache-control': 'private' }],
    ['another content type', { 'content-type': 'text/html' }],
    ['a request id of another format', { 'x-request-id': 'abc' }],
  ])('%s', async (_, headers) => {
    await expect(answer(good, 200, headers)).rejects.toBeInstanceOf(RuleViolation);
  });

  it.each([
    ['a cookie of another name', '__Host-x=v; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000'],
    ['a cookie with a Domain', `${COOKIE}; Domain=a.test`],
    ['a cookie that scripts can read', COOKIE.replace('; HttpOnly', '')],
    ['a cookie with another Max-Age', COOKIE.replace('2592000', '2592001')],
    ['a cookie with an attribute twice', `${COOKIE}; Path=/`],
    ['a cookie in quotes', COOKIE.replace('=v;', '="v";')],
    ['two cookies', [COOKIE, COOKIE]],
  ])('%s', async (_, cookie) => {
    await expect(answer(good, 200, { 'set-cookie': cookie })).rejects.toBeInstanceOf(RuleViolation);
  });

  it('AUTH-28 AUTH-29: a cookie in a refusal, or beside the token in the body', async () => {
    const withCookie = { 'set-cookie': COOKIE };
    expect(await answer(good, 200, withCookie)).toMatchObject({ data: { number: 1 } });
    await expect(answer(refusal, 404, withCookie)).rejects.toBeInstanceOf(RuleViolation);
    const shown = { ...good, data: { number: 1, refresh_token: null } };
    await expect(answer(shown, 200, withCookie)).rejects.toBeInstanceOf(RuleViolation);
  });

  it('a status that the contract does not declare, a code of another status, and data out of bounds', async () => {
    await expect(answer(good, 201)).rejects.toBeInstanceOf(RuleViolation);
    await expect(answer(refusal, 400)).rejects.toBeInstanceOf(RuleViolation);
    await expect(answer({ ...refusal, meta }, 404)).rejects.toBeInstanceOf(RuleViolation);
    await expect(answer({ ...good, data: { number: 10 } })).rejects.toThrow();
  });

  it.each([
    ['no details', undefined],
    ['no reason', { docs: refusal.error.details.docs }],
    [
      'a reason of another code',
      { reason: 'SPARK_BURNED', docs: 'https://api.test/docs/errors#SPARK_BURNED' },
    ],
    ['a reason that is never shown', { reason: 'VERIFIED_REQUEST_REFUSED', docs: '' }],
    [
      'the anchor of another reason',
      { ...refusal.error.details, docs: 'https://api.test/docs/errors#NOT_FOUND' },
    ],
  ])('an error with %s', async (_, details) => {
    const error = { ...refusal.error, details };
    await expect(answer({ ...refusal, error }, 404)).rejects.toBeInstanceOf(RuleViolation);
  });

  it('ENV-21: a 401 without WWW-Authenticate, and another status with it', async () => {
    const challenge = { 'www-authenticate': 'Bearer realm="vaultsvc"' };
    const details = { reason: 'VAT_MISSING', docs: 'https://api.test/docs/errors#VAT_MISSING' };
    const unauthorized = { ...refusal, error: { code: 'AUTHENTICATION_ERROR', message: 'No.', details } };
    expect(await answer(unauthorized, 401, challenge)).toMatchObject({ status: 401 });
    await expect(answer(unauthorized, 401)).rejects.toBeInstanceOf(RuleViolation);
    await expect(answer(refusal, 404, challenge)).rejects.toBeInstanceOf(RuleViolation);
  });
});
