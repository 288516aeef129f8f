import { lateFileLinks } from './late-file-links.js';
import type { FileLinkFacts, HistoryItem, LinkFacts, SparkFacts } from './sent-facts.js';
import { sentRow, type SentRow } from './sent-row.js';

/** The pages and lists that were read so far, each newest first. */
export interface SentFacts {
  readonly items: readonly HistoryItem[];
  readonly sparks: readonly SparkFacts[];
  readonly links: readonly LinkFacts[];
  readonly fileLinks: readonly FileLinkFacts[];
  readonly hasMoreItems: boolean;
  readonly hasMoreSparks: boolean;
}

/** The rows of the history with what the live lists know better, newest first. */
export function mergeSent(
  { items, sparks, links, fileLinks, hasMoreItems, hasMoreSparks }: SentFacts,
  now: number,
  myId?: string,
): SentRow[] {
  const sparkOf = new Map<string | undefined, SparkFacts>(sparks.map((spark) => [spark.spark_id, spark]));
  const linkOf = new Map<string | undefined, LinkFacts>();
  // The newest link of a Spark is the first one.
  for (const link of links) if (!linkOf.has(link.asset_id)) linkOf.set(link.asset_id, link);
  const fileLinkOf = new Map(fileLinks.map((link) => [link.link_id, link]));
  const oldestLive = hasMoreSparks ? (sparks.at(-1)?.created_at ?? now) : -Infinity;
  const rows = items.map((item) => {
    const { spark_id: id, link_id: linkId } = item;
    const isLiveKnown = item.created_at > oldestLive;
    const fileLink = linkId === undefined ? undefined : fileLinkOf.get(linkId);
    return sentRow({ item, spark: sparkOf.get(id), link: linkOf.get(id), fileLink, isLiveKnown, myId, now });
  });
  const listed = new Set(items.map(({ spark_id: id }) => id));
  // Others come with a later page of the history.
  const oldestItem = hasMoreItems ? (items.at(-1)?.created_at ?? now) : -Infinity;
  const unlisted = sparks
    .filter(({ spark_id: id, created_at: created }) => !listed.has(id) && created >= oldestItem)
    .map((spark) => sentRow({ spark, link: linkOf.get(spark.spark_id), isLiveKnown: true, myId, now }));
  const listedLinks = new Set(items.map(({ link_id: id }) => id));
  const late = lateFileLinks(fileLinks, { listed: listedLinks, oldest: oldestItem, myId, now });
  const lateRows = late.map((item) => sentRow({ item, isUnlisted: true, isLiveKnown: true, myId, now }));
  return [...unlisted, ...lateRows, ...rows].sort((a, b) => b.createdAt - a.createdAt);
}
