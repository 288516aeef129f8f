import { Injectable } from '@nestjs/common';
import type { RecalledGrants } from '@vaultsvc/contracts/notify';
import { statement, type Transaction } from '@vaultsvc/database';
import { SYSTEM } from '../../link/link-events-sql.js';
import { LinkTerminationRepository } from '../../link/link-termination.repository.js';
import { isUuid } from '../../link/link.repository.js';
import { SparkRemovalRepository } from '../../spark/spark-removal.repository.js';

/** Recalls grants: revokes their links and deletes their unread Sparks (NTF-29). */
@Injectable()
export class GrantRecallRepository {
  constructor(
    private readonly links: LinkTerminationRepository,
    private readonly sparks: SparkRemovalRepository,
  ) {}

  /**
   * Idempotent. A grant that is not minted yet never will be: either this transaction inserts the row of its policy first,
   * whose primary key then refuses the minting, or it waits for the minting and finds its link. Sparks are deleted before
   * links are revoked, in the order in which an opening locks them. What was opened before stays opened.
   */
  async recall(tx: Transaction, recalled: RecalledGrants, requestId: string | null): Promise<void> {
    const { account_id: accountId, spark_ids: sparkIds } = recalled;
    const linkIds = recalled.link_ids.filter(isUuid);
    await tx.query(refuseMinting, [linkIds, accountId]);
    await this.sparks.removeRecalled(tx, { accountId, sparkIds }, requestId);
    await this.links.revokeMany(tx, { accountId, linkIds }, { actor: SYSTEM, requestId });
  }
}

/** No minting is under way for longer than a day. */
const refuseMinting = statement(
  'sparks.refuse-minting',
  `INSERT INTO link_policies (link_id, account_id, recalled_at, purge_at)
   SELECT id, $2, now(), now() + interval '1 day' FROM unnest($1::uuid[]) AS id ORDER BY id
   ON CONFLICT (link_id) DO NOTHING`,
);
