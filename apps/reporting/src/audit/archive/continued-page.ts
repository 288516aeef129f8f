import { toPage, type Page } from '@vaultsvc/database';

/** Rows of the archive, and where more may be; null at its end. */
export interface ContinuedPage<Row> {
  readonly rows: readonly Row[];
  readonly moreBefore: number | null;
}

/**
 * A page of rows of the database that the archive continues. A page that the archive leaves incomplete has a cursor all the same.
 *
 * @param found one row beyond the limit, if there are so many
 * @param before the number before which the page begins; null for the first page
 * @param archived reads so many archived rows before a number
 */
export async function continuedPage<Row extends { readonly seq: number }>(
  found: readonly Row[],
  limit: number,
  before: number | null,
  archived: (beforeSeq: number | null, missing: number) => Promise<ContinuedPage<Row>>,
): Promise<Page<Row>> {
  const positionOf = ({ seq }: { readonly seq: number }) => [String(seq)];
  if (found.length > limit) return toPage(found, limit, positionOf);
  // An entry that is archived meanwhile is found once: in the database.
  const { rows, moreBefore } = await archived(found.at(-1)?.seq ?? before, limit + 1 - found.length);
  const all = [...found, ...rows];
  if (all.length > limit || moreBefore === null) return toPage(all, limit, positionOf);
  const next_cursor = JSON.stringify(positionOf({ seq: moreBefore }));
  return { rows: all, count: all.length, has_more: true, next_cursor };
}
