import type { Client } from './client.js';
import type { CallOptions, DataOf, OptionsArgument, PathOf } from './client-types.js';

/** The lists that have pages: their query has a `cursor`. */
export type PagedPath = {
  [P in PathOf<'get'>]: CallOptions<'get', P> extends { params?: { query?: { cursor?: string } } }
    ? HasCursor<DataOf<'get', P>> extends true
      ? P
      : never
    : never;
}[PathOf<'get'>];

type HasCursor<D> = D extends { next_cursor?: string }
  ? 'next_cursor' extends keyof D
    ? true
    : false
  : false;

type ListIn<D> = { [K in keyof D]-?: D[K] extends readonly unknown[] ? D[K][number] : never }[keyof D];
/** The items of a list. */
export type ItemOf<P extends PagedPath> = ListIn<DataOf<'get', P>>;

/**
 * The items of a list, page by page as they are needed: `for await (const spark of paginate(client, '/v1/sparks'))`. The
 * query's `limit` is the size of a page.
 */
export async function* paginate<P extends PagedPath>(
  client: Client,
  path: P,
  ...[options]: OptionsArgument<CallOptions<'get', P>>
): AsyncGenerator<ItemOf<P>, void, undefined> {
  for await (const page of pages(client, path, ...([options] as OptionsArgument<CallOptions<'get', P>>)))
    yield* itemsOf(page as object) as ItemOf<P>[];
}

/** The pages of a list. */
export async function* pages<P extends PagedPath>(
  client: Client,
  path: P,
  ...[options]: OptionsArgument<CallOptions<'get', P>>
): AsyncGenerator<DataOf<'get', P>, void, undefined> {
  const { params, ...settings } = (options ?? {}) as { params?: { query?: object } };
  let cursor: string | undefined;
  do {
    const query = { ...params?.query, ...(cursor !== undefined && { cursor }) };
    const get = client.GET as (path: string, options: object) => Promise<{ data: Page }>;
    const { data } = await get(path, { ...settings, params: { ...params, query } });
    yield data as DataOf<'get', P>;
    // A gateway of an older release has only the older name in two lists.
    cursor = data.next_cursor ?? data.cursor ?? undefined;
  } while (cursor !== undefined);
}

interface Page {
  readonly next_cursor?: string;
  readonly cursor?: string | null;
}

/** A page has one list; its other fields are counts and the cursor. */
function itemsOf(page: object): unknown[] {
  return (Object.values(page) as unknown[]).find((value) => Array.isArray(value)) ?? [];
}
