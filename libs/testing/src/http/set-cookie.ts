import { rule } from './envelope-rules.js';
import type { RawAnswer } from './send.js';

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** By name in small letters; '' for one without a value. */
  readonly attributes: Readonly<Record<string, string>>;
}

const PAIR = /^([^\s=;,"]+)=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)$/;

/** The cookie that an answer sets, if it sets one. Throws BrokenRule for two, and for a text out of RFC 6265, 4.1.1. */
export function setCookieOf({ headers }: RawAnswer): SetCookie | undefined {
  const lines = headers['set-cookie'] ?? [];
  rule(lines.length <= 1, 'an answer sets more than one cookie');
  if (lines[0] === undefined) return undefined;
  const [pair = '', ...rest] = lines[0].split('; ');
  const [, name, value] = PAIR.exec(pair) ?? [];
  rule(name !== undefined && value !== undefined, 'a cookie is not written as RFC 6265 has it');
  const attributes = rest.map((attribute) => {
    const [key = '', ...words] = attribute.split('=');
    return [key.toLowerCase(), words.join('=')] as const;
  });
  rule(new Set(attributes.map(([key]) => key)).size === rest.length, 'a cookie has an attribute twice');
  return { name, value, attributes: Object.fromEntries(attributes) };
}

const ALWAYS = { path: '/', secure: '', httponly: '', samesite: 'Strict' };

/** The only cookie of the platform, and only in a success that does not show its value (AUTH-28, AUTH-29). */
export function assertCookie(answer: RawAnswer): void {
  const cookie = setCookieOf(answer);
  if (!cookie) return;
  const { name, value, attributes } = cookie;
  const { 'max-age': maxAge, ...others } = attributes;
  rule(name === '__Host-vk_refresh', `there is a cookie ${name}`);
  rule(
    JSON.stringify(Object.entries(others).sort()) === JSON.stringify(Object.entries(ALWAYS).sort()),
    `the cookie has other attributes: ${Object.keys(attributes).join(', ')}`,
  );
  rule(maxAge === (value === '' ? '0' : '2592000'), `the cookie has Max-Age ${maxAge}`);
  rule(answer.status < 300, `${answer.status} touches the cookie`);
  rule(!answer.body.toString().includes('refresh_token'), 'an answer has the refresh token twice');
}
