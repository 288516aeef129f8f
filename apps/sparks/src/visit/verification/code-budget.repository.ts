import { Injectable } from '@nestjs/common';
import { LimitReached } from '@vaultsvc/contracts';
import { statement, type Transaction } from '@vaultsvc/database';

const STARTS_PER_HOUR = 5;
const STARTS_PER_DAY = 20;
const WRONG_PER_DAY = 20;

/** An identity or an address, as a MAC, at one link. */
export interface CodeSubject {
  readonly linkId: string;
  readonly mac: Buffer;
}

/**
 * The budgets of one-time codes: 5 starts an hour and 20 a day, and 20 wrong codes a day, which close a link for an
 * identity for a day (OPEN-25). All row locks are held until the commit, so concurrent calls are counted one by one.
 */
@Injectable()
export class CodeBudgetRepository {
  /** Counts a start. Throws LINK_CODES_EXHAUSTED with limit, use and reset of the budget that is exhausted longest. */
  async countStart(tx: Transaction, { linkId, mac }: CodeSubject): Promise<void> {
    if ((await tx.query(countStart, [linkId, mac])).length > 0) return;
    const [exhausted] = await tx.query<ExhaustedRow>(findExhausted, [linkId, mac]);
    if (!exhausted) throw new Error('a budget refused a start and is not exhausted');
    const { limit, resets_at } = exhausted;
    throw new LimitReached('LINK_CODES_EXHAUSTED', { limit, used: limit, resets_at });
  }

  /** Locks the budget of an identity; false if it is closed, or if no code was requested for it. */
  async lockOpen(tx: Transaction, { linkId, mac }: CodeSubject): Promise<boolean> {
    const [row] = await tx.query<{ is_open: boolean }>(lockOpen, [linkId, mac]);
    return row?.is_open ?? false;
  }

  /** Counts a wrong code. Returns until when in epoch seconds it has closed the link for the identity, if it has. */
  async countWrong(tx: Transaction, { linkId, mac }: CodeSubject): Promise<number | null> {
    const [row] = await tx.query<{ closed_until: number | null }>(countWrong, [linkId, mac]);
    return row?.closed_until ?? null;
  }

  /**
   * Forgets all that was counted: the owner has invited the identity, or has sent the invitation again. The row stays, because
   * `lockOpen` locks it for a code that is on its way.
   */
  async reset(tx: Transaction, { linkId, mac }: CodeSubject): Promise<void> {
    await tx.query(reset, [linkId, mac]);
  }
}

interface ExhaustedRow {
  limit: number;
  resets_at: number;
}

const HOUR = `interval '1 hour'`;
const DAY = `interval '1 day'`;

/** A period starts with its first start, and the next one with the first after its end. */
const countStart = statement(
  'sparks.count-start-of-code',
  `INSERT INTO code_budgets AS b (link_id, subject, hour_since, hour_starts, day_since, day_starts, expires_at)
   SELECT $1, $2, now, 1, now, 1, now + ${DAY} FROM clock_timestamp() AS now
   ON CONFLICT (link_id, subject) DO UPDATE SET
     hour_since = CASE WHEN b.hour_since > excluded.hour_since - ${HOUR} THEN b.hour_since ELSE excluded.hour_since END,
     hour_starts = CASE WHEN b.hour_since > excluded.hour_since - ${HOUR} THEN b.hour_starts + 1 ELSE 1 END,
     day_since = CASE WHEN b.day_since > excluded.day_since - ${DAY} THEN b.day_since ELSE excluded.day_since END,
     day_starts = CASE WHEN b.day_since > excluded.day_since - ${DAY} THEN b.day_starts + 1 ELSE 1 END,
     expires_at = excluded.expires_at
    WHERE (b.hour_since <= excluded.hour_since - ${HOUR} OR b.hour_starts < ${STARTS_PER_HOUR})
      AND (b.day_since <= excluded.day_since - ${DAY} OR b.day_starts < ${STARTS_PER_DAY})
      AND (b.closed_until IS NULL OR b.closed_until <= excluded.hour_since)
   RETURNING 1`,
);

const findExhausted = statement(
  'sparks.find-exhausted-budget',
  `SELECT "limit", ceil(extract(epoch FROM resets_at))::bigint AS resets_at
     FROM code_budgets,
          LATERAL (VALUES (${WRONG_PER_DAY}, closed_until, true),
                          (${STARTS_PER_DAY}, day_since + ${DAY}, day_starts >= ${STARTS_PER_DAY}),
                          (${STARTS_PER_HOUR}, hour_since + ${HOUR}, hour_starts >= ${STARTS_PER_HOUR})
                  ) AS budget ("limit", resets_at, is_exhausted)
    WHERE link_id = $1 AND subject = $2 AND is_exhausted AND resets_at IS NOT NULL
    ORDER BY resets_at DESC LIMIT 1`,
);

const lockOpen = statement(
  'sparks.lock-open-budget',
  `SELECT coalesce(closed_until <= clock_timestamp(), true) AS is_open
     FROM code_budgets WHERE link_id = $1 AND subject = $2 FOR UPDATE`,
);

const countWrong = statement(
  'sparks.count-wrong-code',
  `UPDATE code_budgets SET
     wrong_since = CASE WHEN wrong_since > now - ${DAY} THEN wrong_since ELSE now END,
     wrong_codes = CASE WHEN wrong_since > now - ${DAY} THEN wrong_codes + 1 ELSE 1 END,
     closed_until = CASE WHEN wrong_since > now - ${DAY} AND wrong_codes + 1 >= ${WRONG_PER_DAY} THEN now + ${DAY} END,
     expires_at = now + ${DAY}
    FROM clock_timestamp() AS now
    WHERE link_id = $1 AND subject = $2
    RETURNING ceil(extract(epoch FROM closed_until))::bigint AS closed_until`,
);

const reset = statement(
  'sparks.reset-budget',
  `UPDATE code_budgets SET
     hour_since = '-infinity', hour_starts = 0, day_since = '-infinity', day_starts = 0,
     wrong_since = NULL, wrong_codes = 0, closed_until = NULL
    WHERE link_id = $1 AND subject = $2`,
);
