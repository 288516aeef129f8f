import { describe, expect, it } from '@jest/globals';
import { namedStatement } from './named-statement.js';
import { statement } from './statement.js';

interface NoteInsert {
  readonly id: number;
  readonly body: string;
  readonly unused?: string;
}

describe('A named statement', () => {
  it('numbers values by their first use, a repeated one once, and orders them so', () => {
    const { text, valuesOf } = namedStatement<NoteInsert>(
      'test.note',
      (v) => `INSERT INTO notes (body, id) VALUES (${v.body}, ${v.id}) RETURNING ${v.body} AS body`,
    );
    expect(text).toBe('INSERT INTO notes (body, id) VALUES ($1, $2) RETURNING $1 AS body');
    expect(valuesOf({ id: 7, body: 'x', unused: 'y' })).toEqual(['x', 7]);
  });

  it('does not compile with a name that its values lack', () => {
    // @ts-expect-error -- a misspelled value
    expect(namedStatement<NoteInsert>('test.typo', (v) => `SELECT ${v.bodi}`).text).toBe('SELECT $1');
  });
});

describe('A statement', () => {
  it('publishes events if it inserts into the outbox, and then each time unless its rows tell', () => {
    expect(statement('test.read', 'SELECT 1 FROM outbox').hasPublished).toBeUndefined();
    const insert =
      'WITH event AS (INSERT INTO outbox (name) SELECT $1 RETURNING 1) SELECT count(*) FROM event';
    expect(statement('test.publish', insert).hasPublished?.([])).toBe(true);
    const told = statement<{ count: number }>('test.tell', insert, ([row]) => row?.count === 1);
    expect([{ count: 0 }, { count: 1 }].map((row) => told.hasPublished?.([row]))).toEqual([false, true]);
    expect(namedStatement<NoteInsert>('test.named', () => insert).hasPublished?.([])).toBe(true);
  });
});
