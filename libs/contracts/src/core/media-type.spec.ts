import { describe, expect, it } from '@jest/globals';
import { MEDIA_TYPE } from './media-type.js';

describe('media types', () => {
  it.each([
    'text/plain',
    'application/vnd.api+json',
    'text/plain; charset=utf-8',
    'text/plain;charset=utf-8 ; format=flowed',
    'multipart/form-data; boundary="a b;c\\"d"',
    'text/plain;',
    'text/plain ; ; ',
    'text/plain; ;charset=utf-8',
  ])('RFC 9110: %s is one', (text) => {
    expect(MEDIA_TYPE.test(text)).toBe(true);
  });

  it.each([
    '',
    'text',
    'text/',
    '/plain',
    '*/*',
    'text/*',
    'text/plain ',
    ' text/plain',
    'text/plain; charset',
    'text/plain; charset=',
    'text/plain\r\nSet-Cookie: a=b',
    'text/plain; charset="utf-8',
    'text/plän',
  ])('RFC 9110: %j is none', (text) => {
    expect(MEDIA_TYPE.test(text)).toBe(false);
  });

  it('any text of 255 characters is decided at once', () => {
    const blanks = ['; ', ' ; ', ';  ', '\t;\t', '; a=b ', '; a="', ';a=b'];
    const began = process.cpuUsage(); // the time of others on the machine does not count
    for (const part of blanks)
      expect(MEDIA_TYPE.test(`a/b${part.repeat(252 / part.length).slice(0, 251)}@`)).toBe(false);
    expect(process.cpuUsage(began).user).toBeLessThan(500_000);
  });
});
