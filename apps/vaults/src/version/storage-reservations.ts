import { Injectable, Logger } from '@nestjs/common';
import { serviceContext, type CallContext } from '@vaultsvc/contracts';
import { releaseStorage, reserveStorage } from '@vaultsvc/contracts/reporting';
import type { FileIds } from '@vaultsvc/crypto/container';
import { Bus } from '@vaultsvc/messaging';

const RELEASE_WITHIN_MS = 2_000;

/** Room in the storage pool for uploads, kept before anything of them exists. */
@Injectable()
export class StorageReservations {
  readonly #logger = new Logger('uploads');

  constructor(private readonly bus: Bus) {}

  /**
   * `insteadOf`: the version that ends when this one is opened, whose room is taken over. Throws QUOTA_EXCEEDED;
   * INTERNAL_ERROR when reporting does not answer.
   */
  async reserve(
    { accountId, versionId }: FileIds,
    bytes: number,
    insteadOf: string | undefined,
    context: CallContext,
  ): Promise<void> {
    const body = { account_id: accountId, reservation_id: versionId, bytes, instead_of: insteadOf };
    const errand = serviceContext(context.requestId, context.deadlineMs);
    await this.bus.call(reserveStorage, { body }, errand);
  }

  /** Gives room back that nothing came of. Never fails: what was not confirmed ends by itself after 10 minutes. */
  async release({ accountId, versionId }: FileIds, { requestId }: CallContext): Promise<void> {
    const body = { account_id: accountId, reservation_id: versionId };
    const errand = serviceContext(requestId, Date.now() + RELEASE_WITHIN_MS);
    try {
      await this.bus.call(releaseStorage, { body }, errand);
    } catch (error) {
      this.#logger.warn({ msg: 'a reservation will end by itself', versionId, requestId, err: error });
    }
  }
}
