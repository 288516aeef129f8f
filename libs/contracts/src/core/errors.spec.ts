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

describe('ENV-20 ENV-21 ENV-30: errors are a closed list', () => {
  it('gives every reason a known code and a sentence for the caller', () => {
    const { SPARKLINK_NOT_FOUND, ...others } = errorReasons;
    for (const { code, message } of Object.values(others)) {
      expect(errorStatus[code]).toBeGreaterThanOrEqual(400);
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
    expect(SPARKLINK_NOT_FOUND.message).toBe('SparkLink not found'); // word by word, LNK-07
  });

  it('has no status of 503: a stopped service is INTERNAL_ERROR', () => {
    expect(Object.values(errorStatus)).not.toContain(503);
  });

  it('knows no reason by the name of an inherited property', () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(isErrorReason(name)).toBe(false);
    expect(isErrorReason('SPARK_NOT_FOUND')).toBe(true);
  });

  it('keeps the cause for the operator: it is in no serialisation', () => {
    const error = new AppError('INTERNAL_ERROR', undefined, { cause: new Error('hunter2') });
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});

describe('OPEN-02: the status of success is in the contract', () => {
  it('is 201 for what creates, 204 where nothing is answered', () => {
    const status = Object.fromEntries(operations.map((op) => [op.name, op.http.status]));
    expect(status).toMatchObject({
      'sparks.create': 201,
      'sparks.read': 200,
      'sparks.delete': 204,
      'auth.create-api-key': 201,
    });
    for (const op of operations) expect(op.http.status === 204).toBe(op.reply === undefined);
  });

  it('a contract names a common reason only where its shape does not tell of it, for some of its calls meet it', () => {
    const repeated = operations.flatMap((op) =>
      (op.errors ?? [])
        .filter((reason) => commonReasons.has(reason) && !metBySome(op, reason))
        .map((reason) => `${op.name}: ${reason}`),
    );
    expect(repeated).toEqual([]);
  });

  /** Pools refuse a read that carries much, a role what one field switches, and a path may have a shape of its own. */
  function metBySome({ http, access, body, query }: PublicOperation, reason: ErrorReason): boolean {
    if (reason === 'PLAN_REQUIRED' || reason === 'QUOTA_EXCEEDED') return http.method === 'GET';
    if (reason === 'ROLE_REQUIRED') return !access.role;
    return reason === 'VALIDATION_ERROR' && !body && !query;
  }
});
