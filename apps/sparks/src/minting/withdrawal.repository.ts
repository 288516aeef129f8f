import { Injectable } from '@nestjs/common';
import type { UnclaimedSparks } from '@vaultsvc/contracts/vaults';
import { statement, type Queryable, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { LinkTerminationRepository } from '../link/link-termination.repository.js';
import { removeUnreadBy } from '../spark/spark-removal.repository.js';

/** Removes Sparks whose ids were answered to nobody. */
@Injectable()
export class WithdrawalRepository {
  constructor(
    private readonly outbox: Outbox,
    private readonly links: LinkTerminationRepository,
  ) {}

  /** Removes those of the account that are unread, and tells so of each. One that is being read stays, as one that was. */
  async withdraw(tx: Transaction, sparks: UnclaimedSparks, requestId: string | null): Promise<void> {
    const { account_id: accountId, spark_ids: ids, actor_type, actor_id } = sparks;
    const actor = JSON.stringify({ actor_type, actor_id });
    await tx.query(removeMany, [ids, accountId, requestId, actor]);
    await this.#removeLinks(tx, ids, accountId, requestId);
    tx.afterCommit(async () => this.outbox.wake());
  }

  /** Nobody was told the ids, but the account's own list shows them: whoever looked there may have shared one. */
  async #removeLinks(tx: Queryable, ids: readonly string[], accountId: string, requestId: string | null) {
    const linked = await tx.query<{ asset_id: string }>(findLinked, [ids, accountId]);
    for (const { asset_id: id } of linked) await this.links.removeOfSpark(tx, id, accountId, requestId);
  }
}

// Joined, for the planner would find them among all Sparks of the account otherwise.
export const removeMany = statement(
  'sparks.remove-many-unread',
  removeUnreadBy('USING unnest($1::text[]) AS named (named_id) WHERE id = named_id'),
);

/** Links of Sparks that are gone. */
const findLinked = statement(
  'sparks.find-links-of-gone',
  `SELECT DISTINCT l.asset_id FROM sparklinks l
    WHERE l.asset_id = ANY($1::text[]) AND l.account_id = $2 AND l.link_type = 'spark'
      AND NOT EXISTS (SELECT 1 FROM sparks s WHERE s.id = l.asset_id)`,
);
