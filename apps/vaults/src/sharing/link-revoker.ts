import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { revokeLinks, type LinkRevocation } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** Selects links to revoke; an absent field matches all. Without an actor they end because their asset was deleted. */
export type LinksToRevoke = Pick<LinkRevocation, 'account_id' | 'vault_id' | 'reason'> &
  Partial<LinkRevocation>;

/** Revokes links at sparks, after the commit that ends them and before the answer to the caller. */
@Injectable()
export class LinkRevoker {
  readonly #logger = new Logger('links');

  constructor(private readonly bus: Bus) {}

  /** Never fails and takes at most 2 s: when sparks does not answer, the event of the same change revokes them. */
  async revoke(links: LinksToRevoke, requestId: string): Promise<void> {
    const body = { ingot_id: null, link_id: null, actor_type: null, actor_id: null, ...links };
    const context = serviceContext({ requestId, deadlineMs: Date.now() + ANSWER_WITHIN_MS });
    try {
      await this.bus.call(revokeLinks, { body }, context);
    } catch (error) {
      const { vault_id: vaultId, ingot_id: ingotId } = body;
      this.#logger.warn({
        msg: 'sparks did not answer; an event will revoke these links',
        vaultId,
        ingotId,
        requestId,
        err: error,
      });
    }
  }
}
