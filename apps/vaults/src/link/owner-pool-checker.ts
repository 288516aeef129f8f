import { Injectable, Logger } from '@nestjs/common';
import { AppError, quotaExceeded, serviceContext, type CallContext } from '@vaultsvc/contracts';
import { readPoolAvailability, type AccountPoolAvailability } from '@vaultsvc/contracts/reporting';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 1_000;

/** Whoever opens a link of a file draws the bandwidth of the account whose file it is. */
@Injectable()
export class OwnerPoolChecker {
  readonly #logger = new Logger('links');

  constructor(private readonly bus: Bus) {}

  /**
   * Throws QUOTA_EXCEEDED when the owner's bandwidth is used up, PLAN_REQUIRED when their plan has ended. Where reporting
   * does not answer, visitors pass (MISC-01).
   */
  async assertBandwidth(accountId: string, context: CallContext): Promise<void> {
    const pools = await this.#read(accountId, context);
    if (!pools) return;
    if (pools.plan !== 'active') throw new AppError('PLAN_REQUIRED');
    if (pools.is_bandwidth_exhausted) throw quotaExceeded('bandwidth');
  }

  async #read(
    account_id: string,
    { requestId, deadlineMs }: CallContext,
  ): Promise<AccountPoolAvailability | undefined> {
    const errand = serviceContext(requestId, Math.min(deadlineMs, Date.now() + ANSWER_WITHIN_MS));
    try {
      return await this.bus.call(readPoolAvailability, { body: { account_id } }, errand);
    } catch (error) {
      this.#logger.warn({
        msg: 'a link is opened without asking reporting for the pools of its owner',
        requestId,
        err: error,
      });
      return undefined;
    }
  }
}
