import { useInfiniteQuery } from '@tanstack/react-query';
import type { Client } from '@vaultsvc/client';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';
import { linkFacts, sentRow, type LinkFacts, type SentRow } from './sent-row.js';

const SPARKS = 50;
/** More than Sparks, so that the link of a Spark that is shown has been read, too. */
const LINKS = 100;

interface Cursors {
  readonly sparks?: string;
  readonly links?: string;
  /** Links of former pages, whose Sparks may come later. */
  readonly known: readonly LinkFacts[];
}

interface SentPage {
  readonly rows: readonly SentRow[];
  readonly next: Cursors | undefined;
}

/** The Sparks and links of the account, newest first, page by page. */
export function useSent() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: queryKeys.sent,
    queryFn: ({ pageParam, signal }) => readPage(client, pageParam, signal),
    initialPageParam: { known: [] } as Cursors,
    getNextPageParam: ({ next }: SentPage) => next,
  });
}

async function readPage(client: Client, { sparks, links, known }: Cursors, signal: AbortSignal) {
  const [{ data: sparkPage }, linkPage] = await Promise.all([
    client.GET('/v1/sparks', { params: { query: { limit: SPARKS, cursor: sparks } }, signal }),
    client.GET('/v1/sparklinks', {
      params: { query: { type: 'spark', limit: LINKS, cursor: links } },
      signal,
    }),
  ]);
  const all = [...known, ...linkPage.data.sparklinks.map(linkFacts)];
  // The newest link of a Spark is the first one.
  const linkOf = (id: string) => all.find(({ asset_id: asset }) => asset === id);
  const next = { sparks: sparkPage.next_cursor, links: linkPage.data.next_cursor ?? links, known: all };
  return {
    rows: sparkPage.sparks.map((spark) => sentRow(spark, linkOf(spark.spark_id))),
    next: sparkPage.has_more ? next : undefined,
  } satisfies SentPage;
}
