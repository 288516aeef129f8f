import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { revokeLinks, type LinkRevocation } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** Which links end and why; of what is not said, all. Without an actor nobody withdrew them: their asset went. */
export type LinksEnding = Pick<LinkRevocation, 'account_id' | 'vault_id' | 'reason'> &
  Partial<LinkRevocation>;

/** Ends links at sparks after the commit of what ends them, and before its caller is answered. */
@Injectable()
export class LinkRevocations {
  readonly #logger = new Logger('links');

  constructor(private readonly bus: Bus) {}

  /** Never fails and takes 2 s at most: where sparks does not answer, the event of the same change does it. */
  async end(ending: LinksEnding, requestId: string): Promise<void> {
    const body = { ingot_id: null, link_id: null, actor_type: null, actor_id: null, ...ending };
    const errand = serviceContext(requestId, Date.now() + ANSWER_WITHIN_MS);
    try {
      await this.bus.call(revokeLinks, { body }, errand);
    } catch (error) {
      const { vault_id: vaultId, ingot_id: ingotId } = body;
      this.#logger.warn({
        msg: 'links will be ended by their event',
        vaultId,
        ingotId,
        requestId,
        err: error,
      });
    }
  }
}
