import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attachmentDisposition } from './download-headers.js';

describe('TRAP 61 ING-04: Content-Disposition', () => {
  it.each([
    ['report.pdf', 'report.pdf', 'report.pdf'],
    ['naïve 文.txt', 'na_ve _.txt', 'na%C3%AFve%20%E6%96%87.txt'],
    ['🙂.png', '_.png', '%F0%9F%99%82.png'],
    ['a"b\\c.txt', 'a_b_c.txt', 'a%22b_c.txt'],
    ['می\u200cخواهم.pdf', '________.pdf', '%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85.pdf'],
    ['👩\u200d💻.png', '___.png', '%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB.png'],
    ["50%25 o'(1)*.txt", "50_25 o'(1)*.txt", '50%2525%20o%27%281%29%2A.txt'],
    ['../../etc/passwd', '.._.._etc_passwd', '.._.._etc_passwd'],
    ['x\r\nSet-Cookie: a=b', 'x__Set-Cookie: a=b', 'x%0D%0ASet-Cookie%3A%20a%3Db'],
  ])('encodes %j', (name, fallback, encoded) => {
    expect(attachmentDisposition(name)).toBe(
      `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`,
    );
  });

  it('is one ASCII header line that encodes any name exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 255 }), (name) => {
        const header = attachmentDisposition(name);
        const [, fallback, encoded] =
          /^attachment; filename="([^"\\%]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(header) ?? [];
        expect(fallback).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeURIComponent(encoded as string)).toBe(name.replace(/[/\\]/g, '_'));
      }),
    );
  });
});
