import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { BadRequestException, NotFoundException, PayloadTooLargeException } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  toAppError,
  Cors,
  errorBody,
  newRequestId,
  parseJson,
  normalizeAddress,
  ProxyTrust,
  successBody,
} from './index.js';

const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('TRUSTED_PROXIES OPEN-10: the client address', () => {
  const trust = new ProxyTrust(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48']);
  it.each([
    ['203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '6.6.6.6, 198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '::ffff:c633:6407', '198.51.100.7'],
    ['10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['2001:db8:ffff::1', '[2001:db8::5]:443', '2001:db8::5'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.1', '6.6.6.6, nonsense, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '', '10.0.0.1'],
  ])('of peer %s with X-Forwarded-For "%s" is %s', (peer, forwarded, client) => {
    expect(trust.callerOf(from(peer, { 'x-forwarded-for': forwarded })).ip).toBe(client);
  });

  it('OPEN-01: comes with the scheme of the nearest trusted proxy only', () => {
    expect(trust.callerOf(from('10.0.0.1', { 'x-forwarded-proto': 'https, http' })).scheme).toBe('http');
    expect(trust.callerOf(from('203.0.113.9', { 'x-forwarded-proto': 'https' })).scheme).toBeUndefined();
    expect(
      new ProxyTrust([]).callerOf(from('10.0.0.1', { 'x-forwarded-proto': 'https' })).scheme,
    ).toBeUndefined();
  });

  it.each(['300.1.1.1', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', 'proxy.example'])(
    'cannot be configured with the proxy %s',
    (proxy) => {
      expect(() => new ProxyTrust([proxy])).toThrow();
    },
  );

  it('has one spelling per host', () => {
    expect(['::FFFF:1.2.3.4', '::ffff:102:304', 'fe80::1%eth0', 'x'].map(normalizeAddress)).toEqual([
      '1.2.3.4',
      '1.2.3.4',
      'fe80::1',
      undefined,
    ]);
  });
});

describe('ENV-03 ENV-20: parseJson', () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  it.each([
    ['nothing', ''],
    ['half an object', '{"a":'],
    ['a byte order mark', '\ufeff{}'],
    ['two values', '{}{}'],
    ['a comment', '{}//'],
    ['NaN', 'NaN'],
  ])('refuses %s without quoting it', (_, text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(new AppError('MALFORMED_JSON').message);
  });

  it('refuses bytes that are not UTF-8 and nesting beyond 34 levels, however deep', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(AppError);
    const tooDeep = {
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: '', message: 'must be at most 34 levels deep' }] },
    };
    expect(() => parseJson(nested(35))).toThrow(expect.objectContaining(tooDeep));
    expect(() => parseJson(nested(500_000), 500_000)).toThrow(expect.objectContaining(tooDeep));
    expect(parseJson(nested(34))).toBeInstanceOf(Array);
  });
});

describe('the envelope', () => {
  it('ENV-04 ENV-05: holds exactly data and meta, or error and meta', () => {
    const meta = { api_version: '1', request_id: 'r', response_ms: 3, timestamp: 5 };
    expect(JSON.parse(successBody(Buffer.from('{"a":"é"}'), meta).toString())).toEqual({
      data: { a: 'é' },
      meta,
    });
    const api = { version: '1', origin: 'https://api.test' };
    const error = JSON.parse(
      errorBody(new AppError('SPARK_NOT_FOUND', { id: 1 }), api, 'r').toString(),
    ) as object;
    expect(error).toEqual({
      error: {
        code: 'NOT_FOUND',
        message: 'Spark not found.',
        details: {
          id: 1,
          reason: 'SPARK_NOT_FOUND',
          docs: 'https://api.test/docs/errors#SPARK_NOT_FOUND',
        },
      },
      meta: { api_version: '1', request_id: 'r' },
    });
  });

  it('shows no reason that tells callers more than another one', () => {
    const body = (reason: 'AUTHENTICATION_ERROR' | 'VERIFIED_REQUEST_REFUSED') =>
      errorBody(new AppError(reason), { version: '1', origin: 'https://api.test' }, 'r').toString();
    expect(body('VERIFIED_REQUEST_REFUSED')).toBe(body('AUTHENTICATION_ERROR'));
  });

  it('ENV-07: has a new request id each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, newRequestId)).size).toBe(1_000);
  });

  it("ENV-30: shows nothing of an unknown error, and only the kind of a framework's error", () => {
    expect(toAppError(new Error('password=hunter2'))).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'An unexpected error occurred.',
    });
    expect(toAppError('text').code).toBe('INTERNAL_ERROR');
    expect(toAppError(new NotFoundException()).code).toBe('NOT_FOUND');
    expect(toAppError(new PayloadTooLargeException()).code).toBe('PAYLOAD_TOO_LARGE');
    expect(toAppError(new BadRequestException('hunter2'))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The request is not valid.',
    });
    expect(toAppError(Object.assign(new URIError(), { status: 400 })).code).toBe('VALIDATION_ERROR');
  });

  it('ENV-30: does not pass on the status of an upstream response', () => {
    for (const status of [400, 401, 404, 413]) {
      const error = Object.assign(new Error('unexpected response'), { status, statusCode: status });
      expect(toAppError(error)).toMatchObject({ code: 'INTERNAL_ERROR', cause: error });
      expect(toAppError({ status }).code).toBe('INTERNAL_ERROR');
    }
  });
});

describe('OPEN-54: CORS', () => {
  const cors = new Cors({
    origins: ['https://app.test'],
    allowHeaders: ['X-API-Key'],
    exposeHeaders: ['X-Request-Id'],
  });
  it('headers name a listed origin, and are only Vary for another one or none', () => {
    expect(cors.responseHeaders('https://app.test')).toContain('https://app.test');
    for (const origin of ['https://app.test.evil', 'https://APP.test', 'null', undefined]) {
      expect(cors.responseHeaders(origin)).toEqual(['Vary', 'Origin']);
      expect(cors.preflightHeaders(origin)).toEqual(['Vary', 'Origin']);
    }
  });
});
