import { describe, expect, it } from '@jest/globals';
import { AppError, payloadTooLarge, validationError } from './errors.js';

describe('ENV-20: the message of VALIDATION_ERROR', () => {
  it.each([
    ['ttl_minutes', 'ttl_minutes must be an integer from 1 to 1440', undefined],
    ['recipients.0.email', 'email must be given', 'recipients.0.email must be given'],
    ['tags', 'each value in tags must be a string', undefined],
    ['add', 'exactly one of add and set must be given', undefined],
    ['add', 'seats must not exceed 5', 'add: seats must not exceed 5'],
    ['Upgrade', 'must be websocket', 'Upgrade must be websocket'],
    ['more', 'unknown property', 'more: unknown property'],
    ['name', 'names must differ', 'name: names must differ'],
    ['text', 'needs a type', 'text needs a type'],
    ['text', 'lacks a type', 'text lacks a type'],
    ['text', 'says that it needs a type', 'text: says that it needs a type'],
    ['add', 'give add; or set', undefined],
    ['add', 'give add: or set', undefined],
    ['add', 'give set, add, or both', undefined],
    ['people.0.add', 'exactly one of add and set', 'people.0.add: exactly one of add and set'],
    ['', 'must be a JSON object', 'The body must be a JSON object'],
    ['', 'give at least one of role, seat and name', undefined],
  ])('names the field %p of "%s"', (field, message, expected = message) => {
    expect(validationError({ field, message }, { field: 'other', message: 'must be 1' }).message).toBe(
      expected,
    );
  });

  it('is general without fields, and for fields of another shape, such as those of another release', () => {
    for (const fields of [
      undefined,
      [],
      'text',
      [null],
      [{ field: 1, message: 'must be 1' }],
      [{ field: 'a', message: 1 }],
      [{ field: 'a' }],
      [{ message: 'must be 1' }],
      {},
    ])
      expect(new AppError('VALIDATION_ERROR', { fields }).message).toBe('The request is not valid.');
    expect(new AppError('CURSOR_INVALID', { fields: [{ field: 'a', message: 'b' }] }).message).toBe(
      'The cursor is not valid for this list.',
    );
  });
});

describe('ENV-29: the message of PAYLOAD_TOO_LARGE', () => {
  it('names the limit, which the details repeat in bytes with what it is for', () => {
    const error = payloadTooLarge('payload', 256_000);
    expect(error.message).toBe('The payload exceeds 256,000 bytes.');
    expect(error.details).toEqual({ limit_of: 'payload', limit_bytes: 256_000 });
  });

  it('is general without a limit', () => {
    for (const details of [
      undefined,
      { limit_of: 'payload' },
      { limit_bytes: 5 },
      { limit_of: 5, limit_bytes: 5 },
      { limit_of: 'payload', limit_bytes: '5' },
    ])
      expect(new AppError('PAYLOAD_TOO_LARGE', details).message).toBe('The body exceeds a size limit.');
  });
});

describe('OPEN-55: the message of NOT_FOUND', () => {
  it('names the nearest path where there is one', () => {
    const message = 'There is no such path. The nearest one is /v1/sparks.';
    expect(new AppError('NOT_FOUND', { nearest: '/v1/sparks' }).message).toBe(message);
    for (const details of [undefined, { nearest: 5 }])
      expect(new AppError('NOT_FOUND', details).message).toBe('The requested resource does not exist.');
  });
});

describe('OPEN-55: the message of METHOD_NOT_FOUND', () => {
  it.each([
    [['GET'], 'This path has GET only.'],
    [['GET', 'PUT'], 'This path has GET and PUT only.'],
    [['DELETE', 'GET', 'PATCH'], 'This path has DELETE, GET and PATCH only.'],
    [[], 'This path does not have this method.'],
    ['GET', 'This path does not have this method.'],
    [undefined, 'This path does not have this method.'],
  ])('names %p', (methods, message) => {
    expect(new AppError('METHOD_NOT_FOUND', { methods }).message).toBe(message);
  });
});
