import { describe, expect, it } from '@jest/globals';
import { MEDIA_TYPE } from './media-type.js';

describe('MEDIA_TYPE', () => {
  it.each([
    'text/plain',
    'application/vnd.api+json',
    'text/plain; charset=utf-8',
    'text/plain;charset=utf-8 ; format=flowed',
    'multipart/form-data; boundary="a b;c\\"d"',
    'text/plain;',
    'text/plain ; ; ',
    'text/plain; ;charset=utf-8',
  ])('matches a media type of RFC 9110: %s', (text) => {
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
  ])('refuses a string that is no media type of RFC 9110: %j', (text) => {
    expect(MEDIA_TYPE.test(text)).toBe(false);
  });

  it('decides any string of 255 characters without backtracking', () => {
    const blanks = ['; ', ' ; ', ';  ', '\t;\t', '; a=b ', '; a="', ';a=b'];
    const began = process.cpuUsage(); // the time of others on the machine does not count
    for (const part of blanks)
      expect(MEDIA_TYPE.test(`a/b${part.repeat(252 / part.length).slice(0, 251)}@`)).toBe(false);
    expect(process.cpuUsage(began).user).toBeLessThan(500_000);
  });
});
