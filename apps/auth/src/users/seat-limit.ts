import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import { PoolSnapshotCache } from '@vaultsvc/limits';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** The number of seats in an account's plan: the limit of its identity pool (MISC-06). */
@Injectable()
export class SeatLimit {
  readonly #logger = new Logger('seats');

  constructor(
    private readonly snapshots: PoolSnapshotCache,
    private readonly bus: Bus,
  ) {}

  /**
   * The number of seats; unlimited while reporting is down, because an outage of billing must not stop other services
   * (MISC-01). The gateway does the same for storage.
   * @throws RedisUnavailable
   */
  async of(accountId: string, requestId: string): Promise<number> {
    const known = (await this.snapshots.get(accountId)) ?? (await this.#load(accountId, requestId));
    return known?.identity.limit ?? Infinity;
  }

  async #load(accountId: string, requestId: string) {
    const context = serviceContext({ requestId, deadlineMs: Date.now() + ANSWER_WITHIN_MS });
    try {
      await this.bus.call(loadPoolSnapshot, { body: { account_id: accountId } }, context);
    } catch (error) {
      this.#logger.warn({ msg: 'no seat limit', accountId, requestId, err: error });
      return null;
    }
    return this.snapshots.get(accountId);
  }
}
