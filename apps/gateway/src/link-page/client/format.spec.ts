import { describe, expect, it } from '@jest/globals';
import { normalizeIdentity, isText, plainName, shortName, webAddress } from './format.js';

describe('OPEN-22: a file on the link page', () => {
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
    expect(plainName('a\u200Bb\u200Ec\u200Fd.pdf')).toBe('a\uFFFDb\uFFFDc\uFFFDd.pdf');
  });

  it.each(['می\u200Cخواهم.pdf', '👩\u200D💻.png'])('keeps the joiners of its name: %s', (name) => {
    expect(plainName(name)).toBe(name);
    expect(shortName(name)).toBe(name);
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

describe('OPEN-25: an identity', () => {
  it.each([
    [' ann@example.com ', 'ann@example.com'],
    ['+43 (660) 123-45.67', '+436601234567'],
    ['0043 660/1234567', '+436601234567'],
    ['+43 (0)660 1234567', '+436601234567'],
    ['\u202a+43\u00a0660\u202f1234567\u202c', '+436601234567'],
    ['+43\u2011660\u20131234567', '+436601234567'],
    ['\uff0b\uff14\uff13 \uff16\uff16\uff10 1234567', '+436601234567'],
    ['+43 660 1234567 ext 5', '+436601234567ext5'],
    ['\uff21nn@example.com\ufeff', 'Ann@example.com'],
  ])('typed as %s is sent as %s', (typed, sent) => expect(normalizeIdentity(typed)).toBe(sent));
});
