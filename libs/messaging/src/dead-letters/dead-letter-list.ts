import type { DataSource } from 'typeorm';

/** An event that a consumer could not apply, or a message that it refused. */
export interface DeadLetter {
  readonly consumer: string;
  /** Id of the event; `stream 123` of a refused message. */
  readonly event_id: string;
  /** Name of the event; null of a refused message. */
  readonly event: string | null;
  readonly account_id: string | null;
  readonly request_id: string | null;
  /** Since when it is a dead letter, in seconds. */
  readonly age_seconds: number;
  readonly reason: string;
  readonly is_requested: boolean;
}

/** Selects dead letters: all, those of a consumer, or one event. */
export interface Selection {
  readonly consumer?: string | undefined;
  readonly eventId?: string | undefined;
}

const SELECTED = `($1::text IS NULL OR consumer = $1) AND ($2::text IS NULL OR event_id = $2)`;

/** The dead letters of the selection, oldest first. */
export function listDeadLetters(source: DataSource, selection: Selection): Promise<DeadLetter[]> {
  return source.query(
    `SELECT consumer, event_id, delivery->>'name' AS event, delivery->>'accountId' AS account_id,
            delivery->>'requestId' AS request_id, extract(epoch FROM now() - failed_at)::int AS age_seconds,
            error AS reason, replay_requested_at IS NOT NULL AS is_requested
       FROM dead_letters WHERE ${SELECTED} ORDER BY failed_at, event_id`,
    valuesOf(selection),
  );
}

/** Lets a running instance apply them again, within seconds. Returns how many; refused messages are never among them. */
export async function requestReplay(source: DataSource, selection: Selection): Promise<number> {
  const [rows] = await source.query<[unknown[], number]>(
    `UPDATE dead_letters SET replay_requested_at = coalesce(replay_requested_at, now())
      WHERE ${SELECTED} AND delivery ? 'name' RETURNING 1`,
    valuesOf(selection),
  );
  return rows.length;
}

/** How many of the selection wait for an instance. */
export async function countRequested(source: DataSource, selection: Selection): Promise<number> {
  const [row] = await source.query<{ count: number }[]>(
    `SELECT count(*) AS count FROM dead_letters WHERE ${SELECTED} AND replay_requested_at IS NOT NULL`,
    valuesOf(selection),
  );
  return Number(row?.count ?? 0);
}

/** Removes one dead letter for good: its event is never applied. Returns whether it was there. */
export async function discardDeadLetter(
  source: DataSource,
  { consumer, eventId }: Selection,
): Promise<boolean> {
  const [rows] = await source.query<[unknown[], number]>(
    `DELETE FROM dead_letters WHERE consumer = $1 AND event_id = $2 RETURNING 1`,
    [consumer, eventId],
  );
  return rows.length > 0;
}

function valuesOf({
  consumer = null,
  eventId = null,
}: {
  consumer?: string | null;
  eventId?: string | null;
}) {
  return [consumer, eventId];
}
