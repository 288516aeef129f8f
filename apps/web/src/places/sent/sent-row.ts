import { sentTexts as texts } from '../../texts/sent.js';
import { momentText } from '../../ui/format.js';
import { endedState, historyState, type RowState } from './history-state.js';
import { openingText } from './opening-text.js';
import type { FileLinkFacts, HistoryItem, LinkFacts, Opening, SparkFacts } from './sent-facts.js';
import type { FileLink } from './withdraw-file-link.js';

/** A Spark or a link as the list shows it. */
export interface SentRow {
  readonly key: string;
  readonly createdAt: number;
  /** Absent for links of files. */
  readonly sparkId: string | undefined;
  /** A link of a file that opens once and can be withdrawn; one that stays is withdrawn in its vault. */
  readonly fileLink: FileLink | undefined;
  readonly vaultId: string | undefined;
  readonly title: string;
  readonly state: RowState;
  readonly details: readonly string[];
  /** More than the row shows. */
  readonly openings: readonly Opening[];
  readonly hasMoreOpenings: boolean;
  /** Whether it can still be opened, and so withdrawn. */
  readonly isOpen: boolean;
  readonly hasLink: boolean;
  /** The invited identity of a link that waits. */
  readonly invitee: string | undefined;
  /** Whether the history will have more of it in a moment. */
  readonly isSettling: boolean;
}

/** All sources about one Spark or link: the history is late by a moment, and the live lists forget after a day. */
export interface Sources {
  readonly item?: HistoryItem | undefined;
  readonly spark?: SparkFacts | undefined;
  readonly link?: LinkFacts | undefined;
  readonly fileLink?: FileLinkFacts | undefined;
  /** Whether the history does not have it yet. */
  readonly isUnlisted?: boolean;
  /** Whether the live lists would have it if it could still be opened. */
  readonly isLiveKnown: boolean;
  /** The person who looks, whom no row names as its creator. */
  readonly myId?: string | undefined;
  /** In epoch seconds. */
  readonly now: number;
}

export function sentRow(sources: Sources): SentRow {
  const { item, spark, link, isUnlisted = false, myId, now } = sources;
  const hasEnded = hasEndedLately(sources);
  const isOpen = spark ? spark.status === 'active' : item?.status === 'active' && !hasEnded;
  const openings = item?.openings ?? [];
  const createdAt = spark?.created_at ?? item?.created_at ?? 0;
  const hasLink = spark?.status === 'active' && link?.status === 'active';
  return {
    key: spark?.spark_id ?? item?.spark_id ?? item?.link_id ?? '',
    createdAt,
    sparkId: spark?.spark_id ?? item?.spark_id,
    fileLink: isOpen ? fileLinkOf(item) : undefined,
    vaultId: item?.vault_id,
    title: titleOf(item, spark),
    state: stateOf(),
    details: [
      texts.created(momentText(createdAt)),
      ...creatorOf(item, myId),
      ...(openings[0] ? [openingText(openings[0])] : audienceOf(spark, link)),
      ...endOf(item),
    ],
    openings,
    hasMoreOpenings: item?.has_more_openings ?? false,
    isOpen,
    hasLink,
    invitee: hasLink ? link.invites[0] : undefined,
    isSettling: hasEnded || isUnlisted || (spark !== undefined && isLate(spark, item, now)),
  };

  function stateOf(): RowState {
    if (spark) return liveState(spark, link);
    if (!item || hasEnded) return endedState;
    return historyState(item, now);
  }
}

/** Whether the live lists know an end of which the history has not heard. */
function hasEndedLately({ item, spark, fileLink, isLiveKnown }: Sources): boolean {
  if (spark || item?.status !== 'active') return false;
  if (item.spark_id !== undefined) return isLiveKnown;
  return fileLink !== undefined && fileLink.status !== 'active';
}

function fileLinkOf(item: HistoryItem | undefined): FileLink | undefined {
  if (item?.link_id === undefined || item.expires_at === null) return undefined;
  return { linkId: item.link_id, createdAt: item.created_at };
}

/** The history has an event within seconds, unless it is another person's. */
export const LATE_SECONDS = 60;

function isLate(
  { status, created_at: created, burned_at: burned }: SparkFacts,
  item: HistoryItem | undefined,
  now: number,
) {
  if (!item) return now - created < LATE_SECONDS;
  return status === 'ash' && item.openings.length === 0 && now - (burned ?? created) < LATE_SECONDS;
}

function titleOf(item: HistoryItem | undefined, spark: SparkFacts | undefined): string {
  const named = spark?.label ?? item?.label ?? spark?.filename;
  if (named) return named;
  if (spark) return texts.kinds[kindOf(spark)];
  return item?.type === 'ingot' ? texts.kinds.ingot : texts.kinds.secret;
}

function kindOf({ content_type: type }: SparkFacts): 'text' | 'link' | 'file' {
  if (type.startsWith('text/uri-list')) return 'link';
  return type.startsWith('text/') ? 'text' : 'file';
}

function liveState(spark: SparkFacts, link: LinkFacts | undefined): RowState {
  if (spark.status === 'expired') return { kind: 'plain', text: texts.expired };
  if (spark.status === 'reading') return { kind: 'warn', text: texts.opening };
  if (spark.status === 'ash')
    return { kind: 'good', text: texts.opened(momentText(spark.burned_at ?? spark.created_at)) };
  if (!link) return { kind: 'plain', text: texts.notShared };
  if (link.status === 'revoked') return { kind: 'plain', text: texts.linkWithdrawn };
  return { kind: 'warn', text: texts.waiting(spark.time_remaining) };
}

function creatorOf(item: HistoryItem | undefined, myId: string | undefined): readonly string[] {
  const { id, name } = item?.created_by ?? {};
  return name && id !== myId ? [texts.createdBy(name)] : [];
}

function endOf(item: HistoryItem | undefined): readonly string[] {
  const name = item?.ended_by?.name;
  return name ? [texts.withdrawnBy(name)] : [];
}

function audienceOf(spark: SparkFacts | undefined, link: LinkFacts | undefined): readonly string[] {
  if (!spark || !link) return [];
  if (spark.status === 'ash' && link.status === 'consumed')
    return [link.verified_by ? texts.openedBy(link.verified_by) : texts.openedByAnybody];
  if (link.visibility === 'invite_only') return [texts.inviteOnly(link.invites.join(', '))];
  return [link.visibility === 'public' ? texts.public : texts.authenticated];
}
