import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { assertJsonContentType } from './index.js';

const check = (type: string) => () =>
  assertJsonContentType({
    headers: { 'content-type': type },
    headersDistinct: { 'content-type': [type] },
    rawHeaders: ['Content-Type', type],
  } as unknown as IncomingMessage);

describe('ENV-20: The Content-Type of a body', () => {
  it.each([
    'application/json',
    'application/json;',
    'Application/JSON; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=utf8',
    'application/json; charset=UTF8',
    'application/json ; Charset = "utf8"',
    'application/json; charset="UTF-8" ',
    "application/json; charset='utf-8'",
    'application/problem+json; charset=utf8',
  ])('may be %s', (type) => expect(check(type)).not.toThrow());

  it.each([
    ['application/json; charset=latin1', 'must have no charset but utf-8'],
    ['application/json; charset="utf8', 'must have no charset but utf-8'],
    ['application/json; charset=utf-16', 'must have no charset but utf-8'],
    ['text/plain; charset=utf8', 'must be application/json'],
    ['application/x-www-form-urlencoded', 'must be application/json'],
    ['', 'must be application/json'],
  ])('may not be %s: %s', (type, message) =>
    expect(check(type)).toThrow(
      expect.objectContaining({ details: { fields: [{ field: 'Content-Type', message }] } }),
    ),
  );
});
