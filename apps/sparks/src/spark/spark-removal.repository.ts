import { Injectable } from '@nestjs/common';
import { actorOf, AppError, pickActor, type AccountContext } from '@vaultsvc/contracts';
import { sparkDeleted } from '@vaultsvc/contracts/sparks';
import type { UnclaimedSparks } from '@vaultsvc/contracts/vaults';
import { Database, statement, type Statement, type Transaction } from '@vaultsvc/database';
import type { EndingCodes } from '../link/ending-link-codes.js';
import { SYSTEM } from '../link/link-events-sql.js';
import { LinkTerminationRepository } from '../link/link-termination.repository.js';
import { SharedContentRepository } from './sealing/shared-content.repository.js';
import { LOCK_SECONDS } from './burning/burn-statements.js';
import { TombstoneRepository } from './burning/tombstone.repository.js';
import { SPARK_MEMBERS } from './burning/spark-sql.js';

/** Deletes unread Sparks with their links. */
@Injectable()
export class SparkRemovalRepository {
  constructor(
    private readonly database: Database,
    private readonly links: LinkTerminationRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly contents: SharedContentRepository,
  ) {}

  /**
   * Deletes an unread Spark with its link. Of a burned Spark it deletes only the active link (AMB-04). Ids that are
   * unknown or of another account change nothing (AMB-05). Throws SPARK_READ_IN_FLIGHT during a read.
   */
  async remove(id: string, context: AccountContext): Promise<void> {
    const { accountId } = context.credential;
    const links = { assetId: id, accountId };
    const codes = await this.links.codesOf(links);
    if (await this.#removeUnread(id, codes, context)) return;
    const [spark] = await this.database.query<{ is_burned: boolean }>(findOwn, [id, accountId]);
    if (spark && !spark.is_burned) throw new AppError('SPARK_READ_IN_FLIGHT');
    await this.links.removeActiveOfSpark(this.database, links, codes, context.requestId);
    if (!spark) await this.tombstones.deleteUnread(id, accountId);
  }

  /** Deletes the unread of these minted Sparks, whose ids no caller has received. Read ones and those under a read stay. */
  async removeUnclaimed(tx: Transaction, sparks: UnclaimedSparks, requestId: string | null): Promise<void> {
    const { account_id: accountId, spark_ids: ids } = sparks;
    const actor = JSON.stringify(pickActor(sparks));
    await this.#delete(tx, removeManyUnread, [ids, accountId, requestId, actor]);
    // A caller may have found an id in the account's list and shared it.
    const linked = await tx.query<{ asset_id: string }>(findDangling, [ids, accountId]);
    for (const { asset_id: assetId } of linked) {
      const links = { assetId, accountId };
      await this.links.removeOfSpark(tx, links, await this.links.codesOf(links), requestId);
    }
  }

  /**
   * Deletes the unread of these Sparks and keeps their links, which the caller revokes. One that is being read is deleted, too:
   * the burn of its reader then finds no row, and nothing is disclosed.
   */
  async removeRecalled(
    tx: Transaction,
    { accountId, sparkIds }: { readonly accountId: string; readonly sparkIds: readonly string[] },
    requestId: string | null,
  ): Promise<void> {
    await this.#delete(tx, removeRecalled, [sparkIds, accountId, requestId, JSON.stringify(SYSTEM)]);
  }

  /** A second statement deletes the links: it sees one that was created while the first waited for the row lock. */
  #removeUnread(id: string, codes: EndingCodes, context: AccountContext): Promise<boolean> {
    const { accountId } = context.credential;
    const values = [id, accountId, context.requestId, JSON.stringify(actorOf(context))];
    return this.database.transaction(async (tx) => {
      if ((await this.#delete(tx, removeUnread, values)) === 0) return false;
      await this.links.removeOfSpark(tx, { assetId: id, accountId }, codes, context.requestId);
      return true;
    });
  }

  /** How many Sparks were deleted. The content that Sparks of a send share goes with the last one. */
  async #delete(tx: Transaction, removal: Statement, values: readonly unknown[]): Promise<number> {
    const removed = await tx.query<{ content_id: string | null }>(removal, values);
    await this.contents.release(
      tx,
      removed.map(({ content_id }) => content_id),
    );
    return removed.length;
  }
}

const UNLOCKED = `AND (lock_token IS NULL OR locked_at < clock_timestamp() - interval '${LOCK_SECONDS} seconds')`;

/**
 * SQL that deletes the unread Sparks of account $2 that `which` selects by $1. The event releases storage, so it is
 * inserted only for a row with content: `sparks.expired` has released the storage of a wiped one.
 */
const removeUnreadBy = (which: string, unlocked = UNLOCKED) => `
   WITH removed AS (
     DELETE FROM sparks ${which} AND account_id = $2 AND status <> 'ash' ${unlocked}
     RETURNING id, account_id, size_bytes, content_id, wrapped_dek IS NOT NULL AS had_content),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkDeleted.name}', $2, $3,
            $4::jsonb || jsonb_build_object(${SPARK_MEMBERS})
       FROM removed WHERE had_content)
   SELECT CASE WHEN had_content THEN content_id END AS content_id FROM removed`;

export const removeUnread = statement('sparks.remove-unread', removeUnreadBy('WHERE id = $1'));

// A join: with `id = ANY($1)` the planner scans all Sparks of the account.
const NAMED = 'USING unnest($1::text[]) AS named (named_id) WHERE id = named_id';

export const removeManyUnread = statement('sparks.remove-many-unread', removeUnreadBy(NAMED));

const removeRecalled = statement('sparks.remove-recalled', removeUnreadBy(NAMED, ''));

const findOwn = statement(
  'sparks.find-own',
  `SELECT status = 'ash' AS is_burned FROM sparks WHERE id = $1 AND account_id = $2`,
);

/** Sparks of the account that do not exist and have a link (STR-12). */
const findDangling = statement(
  'sparks.find-dangling-links',
  `SELECT DISTINCT l.asset_id FROM sparklinks l
    WHERE l.asset_id = ANY($1::text[]) AND l.account_id = $2 AND NOT EXISTS (SELECT 1 FROM sparks s WHERE s.id = l.asset_id)`,
);
