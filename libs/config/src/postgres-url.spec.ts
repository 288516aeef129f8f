import { describe, expect, it } from '@jest/globals';
import { PostgresUrl } from './postgres-url.js';

describe('A PostgreSQL URL', () => {
  it('names several servers as libpq does, in their order', () => {
    const url = new PostgresUrl(
      'postgres://sparks:p%40ss@a.example:5433,b.example,[2001:db8::1]:6432/vaultsvc?sslmode=verify-full&target_session_attrs=read-write',
    );
    expect(url.servers).toEqual([
      { host: 'a.example', port: 5433 },
      { host: 'b.example', port: 5432 },
      { host: '2001:db8::1', port: 6432 },
    ]);
    expect(url.url.href).toBe('postgres://sparks:p%40ss@a.example:5433/vaultsvc?sslmode=verify-full');
    expect(url.database).toBe('vaultsvc');
  });

  it('keeps servers and parameters with another database', () => {
    const url = new PostgresUrl('postgres://u:p@a,b/vaultsvc?sslmode=verify-full');
    expect(url.withDatabase('vaultsvc_keys')).toBe('postgres://u:p@a,b/vaultsvc_keys?sslmode=verify-full');
  });

  it('of one server is as before', () => {
    const text = 'postgresql://u:p@a.example:5432/vaultsvc?options=-c%20search_path%3Dx';
    const { url, servers } = new PostgresUrl(text);
    expect(url.href).toBe(text);
    expect(servers).toEqual([{ host: 'a.example', port: 5432 }]);
  });

  it.each([
    ['postgres://a,b/x', 'postgres://b/x', true],
    ['postgres://a,b/x', 'postgres://b/y', false],
    ['postgres://a,b/x', 'postgres://b:5433/x', false],
  ])('%s and %s: the same database is %s', (one, other, isSame) => {
    expect(new PostgresUrl(one).sharesDatabase(new PostgresUrl(other))).toBe(isSame);
  });

  it.each([
    'https://a.example/x',
    'a.example',
    'postgres://a,,b/x',
    'postgres://a:5432:1,b/x',
    'postgres://a:70000,b/x',
    'postgres://a,b/x?target_session_attrs=any',
    'postgres://a/x?target_session_attrs=prefer-standby',
  ])('%s is refused', (text) => {
    expect(() => new PostgresUrl(text)).toThrow(/^must /);
  });
});
