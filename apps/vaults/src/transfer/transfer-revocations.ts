import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { revokeTransfers, type TransferRevocation } from '@vaultsvc/contracts/forge';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** The transfers to revoke: for a seal by its epoch; for a key, a version or an ingot by its id. */
export type Ending = Pick<TransferRevocation, 'vault_id' | 'scope'> & Partial<TransferRevocation>;

/** Revokes ISTKs at forge, after the commit that revokes their cause and before the caller is answered. */
@Injectable()
export class TransferRevocations {
  readonly #logger = new Logger('transfers');

  constructor(private readonly bus: Bus) {}

  /** Never fails, and returns within 2 s: when forge does not answer, the event of the same change revokes them. */
  async end(ending: Ending, requestId: string): Promise<void> {
    const body = { seal_epoch: null, subject_id: null, ...ending };
    const errand = serviceContext(requestId, Date.now() + ANSWER_WITHIN_MS);
    try {
      await this.bus.call(revokeTransfers, { body }, errand);
    } catch (error) {
      const { vault_id: vaultId, scope } = ending;
      this.#logger.warn({
        msg: 'transfers will be ended by their event',
        vaultId,
        scope,
        requestId,
        err: error,
      });
    }
  }
}
