import { Injectable, Logger } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { readIngotShare, type IngotLinkRef } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import { ShareLifecycle } from './share-lifecycle.js';
import type { IngotOfVault } from './share.repository.js';

const SHARES_BATCH = 100;
const ANSWER_WITHIN_MS = 2_000;

interface UnlinkedShare extends IngotOfVault {
  readonly linkId: string;
}

/**
 * Ends shares whose link was never created, because the instance stopped in between: they are presented as not shared, and
 * no wrap may remain. Sparks confirms that the link does not exist, since its event may only be late. A caller that shares
 * such an ingot at the same moment gets `ConcurrentModification` and retries.
 */
@Injectable()
export class EndUnlinkedShares {
  readonly everySeconds = 60;
  readonly #logger = new Logger('sharing');

  constructor(
    private readonly database: Database,
    private readonly lifecycle: ShareLifecycle,
    private readonly bus: Bus,
  ) {}

  /** While sparks is down, the shares remain. */
  async run(): Promise<void> {
    for (const share of await this.database.query<UnlinkedShare>(findUnlinked, [SHARES_BATCH]))
      await this.#settleOrLog(share);
  }

  /** One share that fails does not block the others. */
  async #settleOrLog(share: UnlinkedShare): Promise<void> {
    try {
      await this.#settle(share);
    } catch (error) {
      const { ingotId, linkId } = share;
      this.#logger.error({
        msg: 'a share without a link could not be settled yet',
        ingotId,
        linkId,
        err: error,
      });
    }
  }

  async #settle(share: UnlinkedShare): Promise<void> {
    if (await this.#hasLink(share)) await this.database.query(markLinked, [share.linkId]);
    else await this.lifecycle.discard(share, share.linkId);
  }

  async #hasLink({ accountId, vaultId, ingotId, linkId }: UnlinkedShare): Promise<boolean> {
    const body: IngotLinkRef = {
      account_id: accountId,
      vault_id: vaultId,
      ingot_id: ingotId,
      link_id: linkId,
    };
    const context = serviceContext({ requestId: newId('req_'), deadlineMs: Date.now() + ANSWER_WITHIN_MS });
    try {
      await this.bus.call(readIngotShare, { body }, context);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'LINK_NOT_FOUND') return false;
      throw error;
    }
  }
}

const findUnlinked = statement(
  'vaults.find-unlinked-shares',
  `SELECT account_id AS "accountId", vault_id AS "vaultId", ingot_id AS "ingotId", link_id AS "linkId"
     FROM ingot_shares WHERE NOT is_linked AND created_at <= now() - interval '10 minutes'
    ORDER BY created_at LIMIT $1`,
);

const markLinked = statement(
  'vaults.mark-linked-share',
  `UPDATE ingot_shares SET is_linked = true WHERE link_id = $1`,
);
