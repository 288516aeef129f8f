import { describe, expect, it } from '@jest/globals';
import { statement } from './statement.js';

describe('A statement', () => {
  it('publishes events if it inserts into the outbox, and then each time unless its rows tell', () => {
    expect(statement('test.read', 'SELECT 1 FROM outbox').hasPublished).toBeUndefined();
    const insert =
      'WITH event AS (INSERT INTO outbox (name) SELECT $1 RETURNING 1) SELECT count(*) FROM event';
    expect(statement('test.publish', insert).hasPublished?.([])).toBe(true);
    const told = statement<{ count: number }>('test.tell', insert, ([row]) => row?.count === 1);
    expect([{ count: 0 }, { count: 1 }].map((row) => told.hasPublished?.([row]))).toEqual([false, true]);
  });
});
