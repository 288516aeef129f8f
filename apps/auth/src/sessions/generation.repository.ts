import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

/** Seconds after its first exchange in which a token may come again, because an answer may be lost (AUTH-21). */
const RETRY_SECONDS = 30;

/** A family as it is now, seen from one generation of its token. */
export interface GenerationState {
  /** Neither ended nor expired, and its owner may still sign in. */
  readonly alive: boolean;
  /** The newest generation. It only grows. */
  readonly head: number;
  /** This generation was exchanged for the first time less than 30 seconds ago. Once false, it stays so. */
  readonly retryable: boolean;
}

/**
 * Which generation of a family's refresh token is the newest, and which were so a moment ago. Each method is one
 * statement: whoever races waits for PostgreSQL alone and never for the process of a rival.
 */
@Injectable()
export class GenerationRepository {
  constructor(private readonly database: Database) {}

  /**
   * Supersedes the head of a family that is alive, starts its 30 seconds and gives the next generation 30 days. With
   * `from`, only while that is the head: of any number of rivals one succeeds.
   * @returns the new head, or nothing when nothing was changed
   */
  async advance(familyId: string, from?: number): Promise<number | undefined> {
    const [row] = await this.database.query<{ head: number }>(advanceHead, [familyId, from ?? null]);
    return row?.head;
  }

  /** Nothing for a family that has been forgotten. */
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

// A generation without a row was superseded long ago, so rows are needed for 30 seconds only. Both other parts hang on
// the update: the family's lock is taken first, and so rivals cannot lock each other out.
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
