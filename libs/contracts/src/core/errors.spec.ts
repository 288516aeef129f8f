import { describe, expect, it } from '@jest/globals';
import { operations } from '../catalog/index.js';
import type { PublicOperation } from './operation.js';
import {
  AppError,
  commonReasons,
  errorReasons,
  errorStatus,
  isErrorReason,
  type ErrorReason,
} from './errors.js';

describe('ENV-20 ENV-21 ENV-30: The error table', () => {
  it('gives every reason a known code and a message for the caller', () => {
    const { SPARKLINK_NOT_FOUND, ...others } = errorReasons;
    for (const { code, message } of Object.values(others)) {
      expect(errorStatus[code]).toBeGreaterThanOrEqual(400);
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
    expect(SPARKLINK_NOT_FOUND.message).toBe('SparkLink not found'); // word by word, LNK-07
  });

  it('gives no two reasons that callers see one code and message, and none a reason that is shown in place of it', () => {
    const shown = Object.entries(errorReasons).filter(([, { shownAs }]) => shownAs === undefined);
    expect(new Set(shown.map(([, { code, message }]) => `${code} ${message}`)).size).toBe(shown.length);
    for (const { code, message, shownAs } of Object.values(errorReasons))
      if (shownAs !== undefined)
        expect(errorReasons[shownAs as ErrorReason]).toMatchObject({ code, message });
  });

  it('reserves `reason` and `docs` of the details for the envelope', () => {
    // @ts-expect-error -- the envelope sets `reason`
    expect(() => new AppError('NOT_FOUND', { reason: 'a' })).not.toThrow();
    // @ts-expect-error -- the envelope sets `docs`
    expect(() => new AppError('NOT_FOUND', { docs: 'a' })).not.toThrow();
  });

  it('contains no status 503: an unreachable service is INTERNAL_ERROR', () => {
    expect(Object.values(errorStatus)).not.toContain(503);
  });

  it('contains no reason with the name of an inherited property', () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(isErrorReason(name)).toBe(false);
    expect(isErrorReason('SPARK_NOT_FOUND')).toBe(true);
  });

  it('keeps the cause of an error out of its serialization', () => {
    const error = new AppError('INTERNAL_ERROR', undefined, { cause: new Error('hunter2') });
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});

describe('OPEN-02: A contract', () => {
  it('declares 201 if it creates and 204 if it has no reply', () => {
    const status = Object.fromEntries(operations.map((op) => [op.name, op.http.status]));
    expect(status).toMatchObject({
      'sparks.create': 201,
      'sparks.read': 200,
      'sparks.delete': 204,
      'auth.create-api-key': 201,
    });
    for (const { http, reply, parts } of operations) expect(http.status === 204).toBe(!reply && !parts);
  });

  it('declares a common reason only if its other declarations do not imply it', () => {
    const repeated = operations.flatMap((op) =>
      (op.errors ?? [])
        .filter((reason) => commonReasons.has(reason) && !metBySome(op, reason))
        .map((reason) => `${op.name}: ${reason}`),
    );
    expect(repeated).toEqual([]);
  });

  /**
   * Pools refuse a read that carries much, and files that a provider's request moves, whose answers show no pools; a role what one
   * field switches; and a path may have a shape of its own.
   */
  function metBySome({ http, access, body, query }: PublicOperation, reason: ErrorReason): boolean {
    if (reason === 'PLAN_REQUIRED' || reason === 'QUOTA_EXCEEDED')
      return http.method === 'GET' || access.provider !== undefined;
    if (reason === 'ROLE_REQUIRED') return !access.role;
    return reason === 'VALIDATION_ERROR' && !body && !query;
  }
});
