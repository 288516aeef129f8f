import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { endLink, type EndedLink } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** Has vaults shred what links of ingots could open, after the commit that ended them. */
@Injectable()
export class SharedFiles {
  readonly #logger = new Logger('links');

  constructor(private readonly bus: Bus) {}

  /** Never fails and takes 2 s at most: where vaults does not answer, the event of the end does it. */
  async end(link: EndedLink, requestId: string): Promise<void> {
    const errand = serviceContext(requestId, Date.now() + ANSWER_WITHIN_MS);
    try {
      await this.bus.call(endLink, { body: link }, errand);
    } catch (error) {
      const { link_id: linkId, vault_id: vaultId } = link;
      this.#logger.warn({ msg: 'a link will be ended by its event', linkId, vaultId, requestId, err: error });
    }
  }
}
