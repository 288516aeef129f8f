import { useInfiniteQuery } from '@tanstack/react-query';
import type { Client, Schema } from '@vaultsvc/client';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';
import { mergeSent } from './merge-sent.js';
import {
  fileLinkFacts,
  linkFacts,
  sparkFacts,
  type FileLinkFacts,
  type HistoryItem,
  type LinkFacts,
  type SparkFacts,
} from './sent-facts.js';

const ITEMS = 50;
/** As many as the API gives, so that what is live is known for all items of a page, mostly. */
const LIVE = 100;
const SETTLING_MS = 2_000;

/** Where a page begins; a list that has ended is not read again. */
interface Cursors {
  readonly items?: string;
  readonly sparks?: string | null;
  readonly links?: string | null;
  readonly fileLinks?: string | null;
}

interface SentPage {
  readonly items: readonly HistoryItem[];
  readonly sparks: readonly SparkFacts[];
  readonly links: readonly LinkFacts[];
  readonly fileLinks: readonly FileLinkFacts[];
  readonly hasMoreSparks: boolean;
  readonly next: Cursors | undefined;
}

/** Sparks and links that the person may see, newest first, page by page: the history, and the live lists beside it. */
export function useSent() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: queryKeys.sent,
    queryFn: ({ pageParam, signal }) => readPage(client, pageParam, signal),
    initialPageParam: {} as Cursors,
    getNextPageParam: ({ next }: SentPage) => next,
    refetchInterval: ({ state }) =>
      rowsOf(state.data?.pages ?? []).some(({ isSettling }) => isSettling) && SETTLING_MS,
  });
}

/**
 * The rows of all pages.
 * @param myId the person who looks
 */
export function rowsOf(pages: readonly SentPage[], myId?: string) {
  const last = pages.at(-1);
  const facts = {
    items: pages.flatMap(({ items }) => items),
    sparks: pages.flatMap(({ sparks }) => sparks),
    links: pages.flatMap(({ links }) => links),
    fileLinks: pages.flatMap(({ fileLinks }) => fileLinks),
    hasMoreItems: last?.next !== undefined,
    hasMoreSparks: last?.hasMoreSparks ?? false,
  };
  return mergeSent(facts, Date.now() / 1_000, myId);
}

async function readPage(client: Client, cursors: Cursors, signal: AbortSignal): Promise<SentPage> {
  const [sparks, links, fileLinks, { data: history }] = await Promise.all([
    readSparks(client, cursors.sparks, signal),
    readLinks(client, { type: 'spark', cursor: cursors.links, factsOf: linkFacts, signal }),
    readLinks(client, { type: 'ingot', cursor: cursors.fileLinks, factsOf: fileLinkFacts, signal }),
    client.GET('/v1/sparks/history', { params: { query: { limit: ITEMS, cursor: cursors.items } }, signal }),
  ]);
  const next = {
    items: history.next_cursor,
    sparks: sparks.next,
    links: links.next,
    fileLinks: fileLinks.next,
  };
  return {
    items: history.items,
    sparks: sparks.facts,
    links: links.facts,
    fileLinks: fileLinks.facts,
    hasMoreSparks: sparks.next !== null,
    next: history.has_more ? next : undefined,
  };
}

async function readSparks(client: Client, cursor: Cursors['sparks'], signal: AbortSignal) {
  if (cursor === null) return { facts: [], next: null };
  const { data } = await client.GET('/v1/sparks', { params: { query: { limit: LIVE, cursor } }, signal });
  return { facts: data.sparks.map(sparkFacts), next: data.next_cursor ?? null };
}

interface LinksRead<F> {
  readonly type: 'spark' | 'ingot';
  readonly cursor: Cursors['links'];
  readonly factsOf: (link: Schema<'SparkLinkSummary'>) => F;
  readonly signal: AbortSignal;
}

async function readLinks<F>(client: Client, { type, cursor, factsOf, signal }: LinksRead<F>) {
  if (cursor === null) return { facts: [], next: null };
  const query = { type, limit: LIVE, cursor } as const;
  const { data } = await client.GET('/v1/sparklinks', { params: { query }, signal });
  return { facts: data.sparklinks.map(factsOf), next: data.next_cursor ?? null };
}
