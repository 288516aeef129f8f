import type { Actor } from '@vaultsvc/contracts';

/** An entry of the audit log, as the history reads it. */
interface HistoryEntry {
  readonly type: string;
  /** Epoch seconds. */
  readonly timestamp: number;
  /** The canonical JSON of its body. */
  readonly body: string;
}

/** The creation of a Spark or of a link of an ingot. */
export interface CreationEntry extends HistoryEntry {
  readonly seq: number;
  /** The time of the query by the clock of the database, in epoch seconds. */
  readonly now: number;
}

/** An opening, an end, or a new link of a Spark. */
export interface OutcomeEntry extends HistoryEntry {
  /** The Spark, or the link of an ingot. */
  readonly subject: string;
}

/** The body of an entry. */
export interface HistoryBody {
  readonly actor_type?: 'user' | 'api_key';
  readonly actor_id?: string;
  readonly details: HistoryDetails;
}

interface HistoryDetails {
  readonly actor?: Actor;
  readonly spark_id?: string;
  readonly link_id?: string;
  readonly link_type?: 'spark' | 'ingot';
  readonly asset_id?: string;
  readonly vault_id?: string;
  /** Epoch seconds; null for a durable link; absent from entries of earlier releases. */
  readonly expires_at?: number | null;
  readonly verified_by?: string | null;
}

/** The body of an entry with its exact actor, which entries of earlier releases do not state (OPEN-28). */
export interface ReadEntry {
  readonly type: string;
  readonly at: number;
  readonly details: HistoryDetails;
  readonly actor: Actor;
}

export function readEntry({ type, timestamp, body }: HistoryEntry): ReadEntry {
  const { details, actor_id, actor_type } = JSON.parse(body) as HistoryBody;
  return { type, at: timestamp, details, actor: details.actor ?? actorOf(details, actor_id, actor_type) };
}

function actorOf(
  { link_id }: HistoryDetails,
  id: string | undefined,
  type: HistoryBody['actor_type'],
): Actor {
  if (id !== undefined) return { kind: type === 'user' ? 'person' : 'api_key', id };
  return link_id === undefined ? { kind: 'job', id: 'sparks' } : { kind: 'visitor', id: link_id };
}
