import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { revokeTransfers, type TransferRevocation } from '@vaultsvc/contracts/forge';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** Selects transfers to revoke: by the epoch of a seal, or by the id of a key, version or ingot. */
export type RevocationSelection = Pick<TransferRevocation, 'vault_id' | 'scope'> &
  Partial<TransferRevocation>;

/** Revokes ISTKs at forge, after the commit that revokes their cause and before the caller is answered. */
@Injectable()
export class ForgeRevocationClient {
  readonly #logger = new Logger('transfers');

  constructor(private readonly bus: Bus) {}

  /**
   * Never fails, and returns within 2 s whether forge has revoked them: when it does not answer, the event of the same
   * change revokes them.
   */
  async revoke(selection: RevocationSelection, requestId: string): Promise<boolean> {
    const body = { seal_epoch: null, subject_id: null, ...selection };
    const context = serviceContext({ requestId, deadlineMs: Date.now() + ANSWER_WITHIN_MS });
    try {
      await this.bus.call(revokeTransfers, { body }, context);
      return true;
    } catch (error) {
      const { vault_id: vaultId, scope } = selection;
      this.#logger.warn({
        msg: 'the event will revoke the transfers',
        vaultId,
        scope,
        requestId,
        err: error,
      });
      return false;
    }
  }
}
