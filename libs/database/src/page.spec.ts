import { describe, expect, it } from '@jest/globals';
import { readPosition, toPage } from './page.js';

const rowsUpTo = (last: number) => Array.from({ length: last }, (_, i) => ({ id: `row ${i + 1}` }));
const byId = (row: { id: string }) => [row.id];

describe('ENV-13 ENV-14: a page', () => {
  it('has at most `limit` rows, and a cursor only if the query found one row more', () => {
    const page = toPage(rowsUpTo(4), 3, byId);
    expect(page).toMatchObject({ count: 3, has_more: true });
    expect(page.rows.map(({ id }) => id)).toEqual(['row 1', 'row 2', 'row 3']);
    expect(readPosition(page.next_cursor, 1)).toEqual(['row 3']);
  });

  it('has no cursor when it is the last one, even if it is exactly full', () => {
    expect(toPage(rowsUpTo(3), 3, byId)).toEqual({ rows: rowsUpTo(3), count: 3, has_more: false });
  });

  it('may be empty', () => {
    expect(toPage([], 3, byId)).toEqual({ rows: [], count: 0, has_more: false });
  });
});

describe('ENV-13: a position', () => {
  it('is absent on the first page', () => expect(readPosition(undefined, 2)).toBeNull());

  it('is read back unchanged, whatever its text', () => {
    const keys = ['2026-01-02 03:04:05.678901+00', 'a"\\,😀'];
    const { next_cursor } = toPage([1, 2], 1, () => keys);
    expect(readPosition(next_cursor, 2)).toEqual(keys);
  });

  it.each(['', 'x', '{}', 'null', '["a"]', '["a","b","c"]', '["a",1]', '["a",null]'])(
    'that is %j and not two keys is refused',
    (cursor) => {
      expect(() => readPosition(cursor, 2)).toThrow(
        expect.objectContaining({ reason: 'CURSOR_INVALID', status: 400 }),
      );
    },
  );
});
