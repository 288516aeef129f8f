import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { sparkDeleted } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { LinkTerminationRepository } from '../link/link-termination.repository.js';
import { actorOf } from '../call-context.js';
import { LOCK_SECONDS } from './burn.repository.js';

/** Removes Sparks at their owner's wish. */
@Injectable()
export class SparkRemovalRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly links: LinkTerminationRepository,
  ) {}

  /**
   * Removes an unread Spark with its link, and the active link of a burned one, which stays as it is (AMB-04). Unknown
   * and foreign ids do nothing (AMB-05). Throws SPARK_READ_IN_FLIGHT while a read lock holds.
   */
  async remove(id: string, context: AccountContext): Promise<void> {
    const { accountId } = context.credential;
    if (await this.#removeUnread(id, context)) return this.outbox.wake();
    const [left] = await this.database.query<{ is_burned: boolean }>(findOwn, [id, accountId]);
    if (left && !left.is_burned) throw new AppError('SPARK_READ_IN_FLIGHT');
    await this.links.removeActiveOfSpark(this.database, id, accountId, context.requestId);
    await this.database.query(forgetSpent, [id, accountId]);
  }

  /** The links by a statement of their own: it sees one that was made while the first waited for the Spark's row. */
  #removeUnread(id: string, context: AccountContext): Promise<boolean> {
    const { accountId } = context.credential;
    const values = [id, accountId, context.requestId, JSON.stringify(actorOf(context))];
    return this.database.transaction(async (tx) => {
      if ((await tx.query(removeUnread, values)).length === 0) return false;
      await this.links.removeOfSpark(tx, id, accountId, context.requestId);
      return true;
    });
  }
}

/**
 * SQL that removes what `which` says of $1, if it is unread. The event releases storage, so it is told only where
 * there was content: expiry may have told it before.
 */
export const removeUnreadBy = (which: string) => `
   WITH removed AS (
     DELETE FROM sparks ${which} AND account_id = $2 AND status <> 'ash'
        AND (lock_token IS NULL OR locked_at < clock_timestamp() - interval '${LOCK_SECONDS} seconds')
     RETURNING id, account_id, size_bytes, wrapped_dek IS NOT NULL AS had_content),
   told AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkDeleted.name}', $2, $3,
            $4::jsonb || jsonb_build_object('spark_id', id, 'account_id', account_id, 'size_bytes', size_bytes)
       FROM removed WHERE had_content)
   SELECT id FROM removed`;

export const removeUnread = statement('sparks.remove-unread', removeUnreadBy('WHERE id = $1'));

const findOwn = statement(
  'sparks.find-own',
  `SELECT status = 'ash' AS is_burned FROM sparks WHERE id = $1 AND account_id = $2`,
);

/** The memory of an expired one that is no longer listed: reading it is 404 from now. */
const forgetSpent = statement(
  'sparks.forget-own-spent',
  `DELETE FROM spent_sparks WHERE id = $1 AND account_id = $2 AND NOT is_burned`,
);
