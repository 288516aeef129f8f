import { AppError } from '@vaultsvc/contracts';

/** A page of a list with keyset pagination: the query fetches one row beyond the limit to learn whether more follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
  readonly has_more: boolean;
  /** The plain position after the last row; the gateway signs it. Absent on the last page (ENV-14). */
  readonly next_cursor?: string;
}

export function toPage<Row>(
  fetched: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly string[],
): Page<Row> {
  const rows = fetched.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = fetched.length > limit;
  return {
    rows,
    count: rows.length,
    has_more: hasMore,
    ...(hasMore && last !== undefined && { next_cursor: JSON.stringify(positionOf(last)) }),
  };
}

/**
 * The sort keys in a cursor, which this service wrote and the gateway signed.
 * @throws CURSOR_INVALID (400) for any other text
 */
export function readPosition(cursor: string | undefined, keys: number): readonly string[] | null {
  if (cursor === undefined) return null;
  const position: unknown = parse(cursor);
  if (
    Array.isArray(position) &&
    position.length === keys &&
    position.every((key) => typeof key === 'string')
  ) {
    return position as string[];
  }
  throw new AppError('CURSOR_INVALID');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
