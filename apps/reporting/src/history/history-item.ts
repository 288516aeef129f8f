import type { Actor } from '@vaultsvc/contracts';
import { OPENINGS_MAX, type HistoryItem, type HistoryStatus } from '@vaultsvc/contracts/reporting';
import { readEntry, type CreationEntry, type OutcomeEntry, type ReadEntry } from './history-entry.js';
import { OUTCOMES_MAX } from './spark-history.repository.js';

/** An opening before its actor has a name. */
export interface Opening {
  readonly opened_at: number;
  readonly opened_by: Actor;
  readonly verified_by: string | null;
}

/** An item before its actors have names. */
export interface Item extends Omit<HistoryItem, 'created_by' | 'ended_by' | 'openings'> {
  readonly created_by: Actor;
  readonly ended_by: Actor | null;
  readonly openings: Opening[];
}

/** A Spark lives for at most a day (SPK-03): the bound for entries of releases that do not state the expiry (SPK-53). */
const SPARK_SECONDS_MAX = 86_400;

/** The Spark, or the link of an ingot, of a creation. */
export function subjectOf(creation: CreationEntry): string {
  const { details } = readEntry(creation);
  return (details.spark_id ?? details.link_id) as string;
}

/** `outcomes`: those of this subject, newest first. */
export function itemOf(creation: CreationEntry, outcomes: readonly OutcomeEntry[]): Item {
  const created = readEntry(creation);
  const entries = outcomes.map(readEntry);
  const isSpark = created.details.spark_id !== undefined;
  const expiresAt = isSpark
    ? (created.details.expires_at ?? created.at + SPARK_SECONDS_MAX)
    : created.details.expires_at;
  const openings = openingsOf(entries);
  const end = isSpark ? endOfSpark(entries, expiresAt as number) : entries.find(isEndOfLink);
  const status = statusOf({ isSpark, expiresAt, isOpened: openings.length > 0, end, now: creation.now });
  return {
    ...placeOf(created),
    status,
    created_at: created.at,
    created_by: created.actor,
    expires_at: expiresAt ?? null,
    openings: openings.slice(0, OPENINGS_MAX),
    has_more_openings: openings.length > OPENINGS_MAX || outcomes.length === OUTCOMES_MAX,
    ended_at: status === 'withdrawn' && end ? end.at : null,
    ended_by: status === 'withdrawn' && end ? end.actor : null,
  };
}

function placeOf({
  details,
}: ReadEntry): Pick<Item, 'type' | 'spark_id' | 'link_id' | 'vault_id' | 'ingot_id'> {
  const { spark_id, link_id, vault_id, asset_id } = details;
  return spark_id === undefined
    ? { type: 'ingot', link_id, vault_id, ingot_id: asset_id }
    : { type: 'spark', spark_id };
}

/** The visit of a link writes its own entry beside the one of the read, which knows no identity. */
function openingsOf(entries: readonly ReadEntry[]): Opening[] {
  const visits = entries.filter(({ type }) => type === 'sparklink_accessed');
  const reads = entries.filter(({ type, actor }) => type === 'spark_read' && actor.kind !== 'visitor');
  const known = [...visits, ...reads];
  const openings = known.length > 0 ? known : entries.filter(({ type }) => type === 'spark_read');
  return openings.map(({ at, actor, details }) => ({
    opened_at: at,
    opened_by: actor,
    verified_by: details.verified_by ?? null,
  }));
}

/** The deletion of a Spark, or the end of its last link. The end of a link after the expiry is no withdrawal. */
function endOfSpark(entries: readonly ReadEntry[], expiresAt: number): ReadEntry | undefined {
  const deleted = entries.find(({ type }) => type === 'spark_deleted');
  if (deleted) return deleted;
  const last = entries.find((entry) => entry.type === 'sparklink_created' || isEndOfLink(entry));
  return last && isEndOfLink(last) && last.at < expiresAt ? last : undefined;
}

function isEndOfLink({ type }: ReadEntry): boolean {
  return type === 'sparklink_deleted' || type === 'sparklink_revoked';
}

interface Facts {
  readonly isSpark: boolean;
  /** null: it has no end. undefined: unknown. */
  readonly expiresAt: number | null | undefined;
  readonly isOpened: boolean;
  readonly end: ReadEntry | undefined;
  readonly now: number;
}

function statusOf({ isSpark, expiresAt, isOpened, end, now }: Facts): HistoryStatus {
  const opensOnce = isSpark || typeof expiresAt === 'number';
  if (isOpened && opensOnce) return 'opened';
  if (end) return 'withdrawn';
  if (expiresAt === undefined) return 'unknown';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
