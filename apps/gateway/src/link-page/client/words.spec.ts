import { describe, expect, it } from '@jest/globals';
import { identityOf, isText, plainName, shortName, sizeInWords, waitInWords, webAddress } from './words.js';

describe('OPEN-22: a file on the link page', () => {
  it.each([
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 kB'],
    [25_600, '25.6 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1 MB'],
    [5_368_709_120, '5.4 GB'],
    [5_000_000_000_000, '5 TB'],
  ])('of %d bytes is said to have %s', (bytes, words) => expect(sizeInWords(bytes)).toBe(words));

  it('keeps both ends of a long name, by characters and not by halves of them', () => {
    expect(shortName('report.pdf')).toBe('report.pdf');
    const short = shortName(`${'😀'.repeat(60)}-final.pdf`);
    expect([...short]).toHaveLength(44);
    expect(short).toMatch(/^😀+…😀+-final\.pdf$/u);
  });

  it('cannot have a name that reads backwards', () => {
    expect(plainName('a\u202Egpj.exe')).toBe('a\uFFFDgpj.exe');
    expect(plainName('line\nbreak')).toBe('line\uFFFDbreak');
    expect(plainName('שלום.pdf')).toBe('שלום.pdf');
  });
});

describe('SPK-05 OPEN-23: content on the link page', () => {
  it.each([
    'text/plain',
    'text/html; charset=utf-8',
    'application/json',
    'application/ld+json',
    'image/svg+xml',
  ])('%s is text', (type) => expect(isText(type)).toBe(true));
  it.each(['application/octet-stream', 'image/png', ''])('%s is not', (type) =>
    expect(isText(type)).toBe(false),
  );
});

describe('OPEN-23 LNK-12: a destination', () => {
  it('is a web address', () => expect(webAddress('https://example.com/a?b')?.host).toBe('example.com'));
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://bank.example@evil.example/',
    'x',
    '',
  ])('is never %s', (text) => expect(webAddress(text)).toBeUndefined());
});

describe('OPEN-25: what a visitor types', () => {
  it.each([
    [' ann@example.com ', 'ann@example.com'],
    ['+43 (660) 123-45.67', '+436601234567'],
    ['0043 660/1234567', '+436601234567'],
  ])('%s is sent as %s', (typed, sent) => expect(identityOf(typed)).toBe(sent));
  it.each([
    [1, '1 second'],
    [90, '90 seconds'],
    [91, '2 minutes'],
    [3_600, '60 minutes'],
  ])('%d seconds are said to be %s', (seconds, words) => expect(waitInWords(seconds)).toBe(words));
});
