import { assertRule } from './envelope-rules.js';
import type { RawResponse } from './send.js';

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** By lower-case name; '' for an attribute without a value. */
  readonly attributes: Readonly<Record<string, string>>;
}

const PAIR = /^([^\s=;,"]+)=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)$/;

/**
 * The cookie that a response sets, if any.
 * @throws RuleViolation for two cookies, and for syntax that RFC 6265, section 4.1.1 does not allow
 */
export function setCookieOf({ headers }: RawResponse): SetCookie | undefined {
  const lines = headers['set-cookie'] ?? [];
  assertRule(lines.length <= 1, 'a response sets more than one cookie');
  if (lines[0] === undefined) return undefined;
  const [pair = '', ...rest] = lines[0].split('; ');
  const [, name, value] = PAIR.exec(pair) ?? [];
  assertRule(name !== undefined && value !== undefined, 'a cookie violates the syntax of RFC 6265');
  const attributes = rest.map((attribute) => {
    const [key = '', ...words] = attribute.split('=');
    return [key.toLowerCase(), words.join('=')] as const;
  });
  assertRule(new Set(attributes.map(([key]) => key)).size === rest.length, 'a cookie has an attribute twice');
  return { name, value, attributes: Object.fromEntries(attributes) };
}

const REQUIRED_ATTRIBUTES = { path: '/', secure: '', httponly: '', samesite: 'Strict' };

/** Allows only the refresh cookie, and only in a success whose body does not contain its value (AUTH-28, AUTH-29). */
export function assertCookie(answer: RawResponse): void {
  const cookie = setCookieOf(answer);
  if (!cookie) return;
  const { name, value, attributes } = cookie;
  const { 'max-age': maxAge, ...others } = attributes;
  assertRule(name === '__Host-vk_refresh', `there is a cookie ${name}`);
  assertRule(
    JSON.stringify(Object.entries(others).sort()) ===
      JSON.stringify(Object.entries(REQUIRED_ATTRIBUTES).sort()),
    `the cookie has other attributes: ${Object.keys(attributes).join(', ')}`,
  );
  assertRule(maxAge === (value === '' ? '0' : '2592000'), `the cookie has Max-Age ${maxAge}`);
  assertRule(answer.status < 300, `${answer.status} sets the cookie`);
  assertRule(
    !answer.body.toString().includes('refresh_token'),
    'a response has the refresh token in its body and in a cookie',
  );
}
