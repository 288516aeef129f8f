import { Injectable, Logger } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { readIngotShare, type IngotLinkRef } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import type { IngotOfVault } from './share.repository.js';
import { SharingChanges } from './sharing-changes.js';

const SHARES_MAX = 100;
const ANSWER_WITHIN_MS = 2_000;

interface UnlinkedShare extends IngotOfVault {
  readonly linkId: string;
}

/**
 * Lets go of shares whose link never came to be, because whoever shared was stopped in between: they are shown as not
 * shared, and no wrap of a key shall outlive that. Sparks is asked, so that a share whose link was only not told of yet
 * stays. Whoever shares such an ingot at the same moment finds its share gone, and begins anew.
 */
@Injectable()
export class EndUnlinkedShares {
  readonly everySeconds = 60;
  readonly #logger = new Logger('sharing');

  constructor(
    private readonly database: Database,
    private readonly changes: SharingChanges,
    private readonly bus: Bus,
  ) {}

  /** While sparks is away the shares wait. */
  async run(): Promise<void> {
    for (const share of await this.database.query<UnlinkedShare>(findUnlinked, [SHARES_MAX]))
      await this.#settleOrLog(share);
  }

  /** A share that cannot be settled now keeps no other one waiting. */
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
    if (await this.#hasLink(share)) await this.database.query(markLinked, [share.ingotId, share.linkId]);
    else await this.changes.forget(share, share.linkId);
  }

  async #hasLink({ accountId, vaultId, ingotId, linkId }: UnlinkedShare): Promise<boolean> {
    const body: IngotLinkRef = {
      account_id: accountId,
      vault_id: vaultId,
      ingot_id: ingotId,
      link_id: linkId,
    };
    const errand = serviceContext(newId('req_'), Date.now() + ANSWER_WITHIN_MS);
    try {
      await this.bus.call(readIngotShare, { body }, errand);
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
  'vaults.keep-linked-share',
  `UPDATE ingot_shares SET is_linked = true WHERE ingot_id = $1 AND link_id = $2`,
);
