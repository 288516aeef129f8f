import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';

/** Seconds after its first exchange in which a token may come again, because an answer may be lost (AUTH-21). */
export const RETRY_SECONDS = 30;

/** A family as it is under its lock, seen from one generation of its token. */
export interface GenerationState {
  /** Neither ended nor expired, and its owner may still sign in. */
  readonly alive: boolean;
  /** The newest generation. */
  readonly head: number;
  /** This generation was exchanged for the first time less than 30 seconds ago. */
  readonly retryable: boolean;
}

/** Which generation of a family's refresh token is the newest, and which were so a moment ago. */
@Injectable()
export class GenerationRepository {
  /**
   * Locks the family until the transaction ends, so that all who present its tokens come one after the other, and
   * tells what holds from then on. Nothing for a family that has been forgotten.
   */
  async lock(tx: Queryable, familyId: string, generation: number): Promise<GenerationState | undefined> {
    await tx.query(lockFamily, [familyId]);
    // A statement of its own: only so is its snapshot, and the clock it reads, later than the wait for the lock.
    const [state] = await tx.query<GenerationState & Record<string, unknown>>(findState, [
      familyId,
      generation,
    ]);
    return state;
  }

  /** Supersedes the head, starts its 30 seconds and gives the next generation 30 days. The family must be locked. */
  async advance(tx: Queryable, familyId: string): Promise<number> {
    const [row] = await tx.query<{ head: number }>(advanceHead, [familyId]);
    if (!row) throw new Error('a locked session family is gone');
    return row.head;
  }
}

const lockFamily = statement('auth.lock-family', `SELECT 1 FROM families WHERE id = $1::uuid FOR UPDATE`);

const findState = statement(
  'auth.find-generation-state',
  `SELECT f.head,
          f.revoked_at IS NULL AND f.expires_at > clock_timestamp()
            AND (f.session_type = 'identity_only' OR (u.status = 'active' AND a.status = 'active')) AS alive,
          coalesce(s.at + interval '${RETRY_SECONDS} seconds' > clock_timestamp(), false) AS retryable
     FROM families f
     LEFT JOIN users u ON u.id = f.user_id
     LEFT JOIN accounts a ON a.id = f.account_id
     LEFT JOIN superseded s ON s.family_id = f.id AND s.generation = $2::bigint
    WHERE f.id = $1::uuid`,
);

// A generation without a row was superseded long ago, so rows are needed for 30 seconds only.
const advanceHead = statement(
  'auth.advance-head',
  `WITH forgotten AS (
     DELETE FROM superseded
      WHERE family_id = $1::uuid AND at <= clock_timestamp() - interval '${RETRY_SECONDS} seconds'),
   noted AS (
     INSERT INTO superseded (family_id, generation, at)
     SELECT id, head, clock_timestamp() FROM families WHERE id = $1::uuid)
   UPDATE families SET head = head + 1, expires_at = clock_timestamp() + interval '720 hours'
    WHERE id = $1::uuid RETURNING head`,
);
