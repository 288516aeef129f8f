import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { DnsRebindingGuard } from './index.js';

const own = ['http://127.0.0.1:8080', 'https://api.example.test'];
const pages = ['https://app.test'];
const local = new DnsRebindingGuard('local', own, pages);
const production = new DnsRebindingGuard('production', own, pages);
const requestOf = (headers: Readonly<Record<string, string | undefined>>, method = 'POST') =>
  ({ method, headers }) as unknown as IncomingMessage;

describe('OPEN-55: DnsRebindingGuard, in the local profile,', () => {
  it.each([
    '127.0.0.1:8080',
    '127.9.9.9',
    'localhost:8080',
    'LOCALHOST',
    'localhost.:8080',
    'links.localhost:1',
    '[::1]:8080',
    '[::ffff:127.0.0.1]:8080',
    'api.example.test',
    'API.example.test:443',
  ])('accepts the Host %s', (host) => {
    expect(() => local.assertHost(requestOf({ host }))).not.toThrow();
  });

  it.each([
    'evil.test',
    'evil.test:8080',
    '127.0.0.1.evil.test:8080',
    'localhost.evil.test',
    'notlocalhost',
    'api.example.test.evil.test',
    '128.0.0.1',
    '[2001:db8::1]:8080',
    '0.0.0.0:8080',
    '',
  ])('refuses the Host %j with 403', (host) => {
    expect(() => local.assertHost(requestOf({ host }))).toThrow(
      expect.objectContaining({ status: 403, reason: 'HOST_REFUSED' }),
    );
    expect(() => production.assertHost(requestOf({ host }))).not.toThrow();
  });

  it('accepts a request without Host, which no browser sends', () => {
    expect(() => local.assertHost(requestOf({}))).not.toThrow();
  });

  it.each(['https://app.test', 'https://api.example.test', 'http://localhost:3000', 'http://[::1]:5'])(
    'accepts a page of %s',
    (origin) => {
      expect(() => local.assertOrigin(requestOf({ origin }))).not.toThrow();
    },
  );

  it.each(['https://evil.test', 'http://app.test', 'https://app.test.evil.test', 'null', ''])(
    'refuses a page of %j with 403 where the browser sends no preflight, whose answer would keep it from sending more',
    (origin) => {
      const refused = expect.objectContaining({ status: 403, reason: 'ORIGIN_UNLISTED' });
      for (const type of [{}, { 'content-type': 'text/plain;charset=utf-8' }])
        expect(() => local.assertOrigin(requestOf({ origin, ...type }))).toThrow(refused);
      expect(() => local.assertOrigin(requestOf({ origin }, 'GET'))).toThrow(refused);
      for (const headers of [
        { authorization: 'Bearer x' },
        { 'x-api-key': 'x' },
        { 'x-vk-client': 'web' },
        { 'tus-resumable': '1.0.0' },
        { 'content-type': 'application/json' },
      ])
        expect(() => local.assertOrigin(requestOf({ origin, ...headers }))).not.toThrow();
      expect(() => local.assertOrigin(requestOf({ origin }, 'PATCH'))).not.toThrow();
      expect(() => production.assertOrigin(requestOf({ origin }))).not.toThrow();
    },
  );

  it('accepts a request without Origin', () => {
    expect(() => local.assertOrigin(requestOf({}))).not.toThrow();
  });
});
