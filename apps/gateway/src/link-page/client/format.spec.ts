import { describe, expect, it } from '@jest/globals';
import { normalizeIdentity, isText, plainName, shortName, sizeText, waitText, webAddress } from './format.js';

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
  ])('of %d bytes is shown with %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

  it('keeps both ends of a long name and splits no character', () => {
    expect(shortName('report.pdf')).toBe('report.pdf');
    const short = shortName(`${'😀'.repeat(60)}-final.pdf`);
    expect([...short]).toHaveLength(44);
    expect(short).toMatch(/^😀+…😀+-final\.pdf$/u);
  });

  it('has no bidirectional characters in its name', () => {
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
  ])('of type %s is text', (type) => expect(isText(type)).toBe(true));
  it.each(['application/octet-stream', 'image/png', ''])('of type %s is not text', (type) =>
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

describe('OPEN-25: an identity or a waiting time', () => {
  it.each([
    [' ann@example.com ', 'ann@example.com'],
    ['+43 (660) 123-45.67', '+436601234567'],
    ['0043 660/1234567', '+436601234567'],
  ])('typed as %s is sent as %s', (typed, sent) => expect(normalizeIdentity(typed)).toBe(sent));
  it.each([
    [1, '1 second'],
    [90, '90 seconds'],
    [91, '2 minutes'],
    [3_600, '60 minutes'],
  ])('of %d seconds is shown as %s', (seconds, text) => expect(waitText(seconds)).toBe(text));
});
