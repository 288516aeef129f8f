import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

/** Seconds after its first exchange in which a token may be presented again, because the response may be lost (AUTH-21). */
const RETRY_SECONDS = 30;

/** The current state of a family, relative to one generation of its token. */
export interface GenerationState {
  /** Whether it has neither ended nor expired, and its owner may still sign in. */
  readonly alive: boolean;
  /** The newest generation. It only grows. */
  readonly head: number;
  /** Whether this generation was first exchanged less than 30 seconds ago. Once false, it stays false. */
  readonly retryable: boolean;
}

/**
 * The newest generation of a family's refresh token, and those superseded within the grace period. Each method is one
 * statement: concurrent callers wait for PostgreSQL only, never for another process.
 */
@Injectable()
export class GenerationRepository {
  constructor(private readonly database: Database) {}

  /**
   * Supersedes the head of a live family, starts its grace period and extends the family by 30 days. With `from`, only while
   * that is the head: of any number of concurrent callers one succeeds.
   * @returns the new head; undefined if nothing changed
   */
  async advance(familyId: string, from?: number): Promise<number | undefined> {
    const [row] = await this.database.query<{ head: number }>(advanceHead, [familyId, from ?? null]);
    return row?.head;
  }

  /** Undefined for a family that was deleted. */
  async stateOf(familyId: string, generation: number): Promise<GenerationState | undefined> {
    const values = [familyId, generation];
    const [state] = await this.database.query<GenerationState>(findState, values);
    return state;
  }
}

const ALIVE = `
  f.revoked_at IS NULL AND f.expires_at > clock_timestamp()
    AND (f.session_type = 'identity_only' OR EXISTS (
      SELECT 1 FROM users u JOIN accounts a ON a.id = u.account_id
       WHERE u.id = f.user_id AND u.status = 'active' AND a.status = 'active'))`;

// A generation without a row was superseded long ago, so rows are needed for 30 seconds only. Both other parts depend on the
// update: it locks the family first, which prevents deadlocks.
const advanceHead = statement(
  'auth.advance-head',
  `WITH advanced AS (
     UPDATE families f SET head = head + 1, expires_at = clock_timestamp() + interval '720 hours'
      WHERE f.id = $1::uuid AND ($2::bigint IS NULL OR f.head = $2::bigint) AND ${ALIVE}
     RETURNING f.id, f.head),
   noted AS (
     INSERT INTO superseded (family_id, generation, at) SELECT id, head - 1, clock_timestamp() FROM advanced),
   forgotten AS (
     DELETE FROM superseded s USING advanced a
      WHERE s.family_id = a.id AND s.at <= clock_timestamp() - interval '${RETRY_SECONDS} seconds')
   SELECT head FROM advanced`,
);

const findState = statement(
  'auth.find-generation-state',
  `SELECT f.head, (${ALIVE}) AS alive,
          coalesce(s.at + interval '${RETRY_SECONDS} seconds' > clock_timestamp(), false) AS retryable
     FROM families f LEFT JOIN superseded s ON s.family_id = f.id AND s.generation = $2::bigint
    WHERE f.id = $1::uuid`,
);
