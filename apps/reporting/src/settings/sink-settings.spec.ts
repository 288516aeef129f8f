import { describe, expect, it } from '@jest/globals';
import { auditSinks, destinationOf, encryptedSinks } from './sink-settings.js';

const s3 = { name: 'archive', kind: 's3', bucket: 'entries', region: 'eu-central-1' };
const http = { name: 'siem', kind: 'http', url: 'https://siem.example.com/in?token=hunter2' };
const parse = (...sinks: readonly object[]) => auditSinks(JSON.stringify(sinks));

describe('AUD-16: AUDIT_SINKS', () => {
  it('has an object for each sink, with defaults', () => {
    expect(parse(s3, http)).toEqual([
      expect.objectContaining({
        kind: 's3',
        name: 'archive',
        from: 'now',
        prefix: 'audit',
        timeoutMs: 10_000,
      }),
      expect.objectContaining({ kind: 'http', name: 'siem', allowsPrivate: false, authorization: undefined }),
    ]);
    expect(auditSinks('[]')).toEqual([]);
  });

  it('keeps address and credentials out of logs', () => {
    const credentials = { access_key_id: 'AK', secret_access_key: 'hunter2' };
    const sinks = parse({ ...s3, ...credentials }, { ...http, authorization: 'Bearer hunter2' });
    expect(JSON.stringify(sinks)).not.toContain('hunter2');
    expect(sinks.map(destinationOf)).toEqual(['s3/entries/audit', 'https://siem.example.com']);
    const [archive] = parse({ ...s3, endpoint: 'https://minio.example.com:9000' });
    expect(archive && destinationOf(archive)).toBe('https://minio.example.com:9000/entries/audit');
  });

  it.each([
    ['no JSON', 'hunter2'],
    ['no array', '{"name":"hunter2"}'],
    ['no object', '["hunter2"]'],
    ['a name twice', JSON.stringify([s3, s3])],
    ['nine sinks', JSON.stringify(Array.from({ length: 9 }, (_, n) => ({ ...http, name: `hunter2-${n}` })))],
    ['an unknown member', JSON.stringify([{ ...http, bucket: 'hunter2' }])],
    ['an unknown kind', JSON.stringify([{ ...http, kind: 'hunter2' }])],
    ['a malformed name', JSON.stringify([{ ...http, name: 'HUNTER2 hunter2' }])],
    ['no URL', JSON.stringify([{ ...http, url: 'hunter2' }])],
    ['credentials in a URL', JSON.stringify([{ ...http, url: 'https://hunter2:x@siem.example.com' }])],
    ['an Authorization of two lines', JSON.stringify([{ ...http, authorization: 'hunter2\nX: y' }])],
    ['one half of credentials', JSON.stringify([{ ...s3, secret_access_key: 'hunter2' }])],
    ['a timeout of an hour', JSON.stringify([{ ...http, timeout_seconds: 3_600 }])],
    ['a prefix that leaves its folder', JSON.stringify([{ ...s3, prefix: '../hunter2' }])],
  ])('refuses %s, without its value', (_, text) => {
    expect(() => auditSinks(text)).toThrow(/^must (?!.*hunter2)/);
  });

  it('must have https:// with PROFILE=production', () => {
    const sinks = parse({ ...http, url: 'http://127.0.0.1/' }, { ...s3, endpoint: 'http://minio' });
    for (const sink of sinks) {
      expect(encryptedSinks([sink], { PROFILE: 'production' })).toMatch(/https:\/\/.*sink 1/);
      expect(encryptedSinks([sink], { PROFILE: 'local' })).toBeUndefined();
    }
    expect(encryptedSinks(parse(s3, http), { PROFILE: 'production' })).toBeUndefined();
  });
});
