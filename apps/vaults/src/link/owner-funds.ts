import { Injectable, Logger } from '@nestjs/common';
import { AppError, quotaExceeded, serviceContext, type CallContext } from '@vaultsvc/contracts';
import { readFunds, type FundsState } from '@vaultsvc/contracts/reporting';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 1_000;

/** Whoever opens a link of a file draws the bandwidth of the account whose file it is. */
@Injectable()
export class OwnerFunds {
  readonly #logger = new Logger('links');

  constructor(private readonly bus: Bus) {}

  /**
   * Throws QUOTA_EXCEEDED when the owner's bandwidth is used up, PLAN_REQUIRED when their plan has ended. Where reporting
   * does not answer, visitors pass (MISC-01).
   */
  async assertBandwidth(accountId: string, context: CallContext): Promise<void> {
    const funds = await this.#read(accountId, context);
    if (!funds) return;
    if (funds.plan !== 'active') throw new AppError('PLAN_REQUIRED');
    if (funds.is_bandwidth_exhausted) throw quotaExceeded('bandwidth');
  }

  async #read(account_id: string, { requestId, deadlineMs }: CallContext): Promise<FundsState | undefined> {
    const errand = serviceContext(requestId, Math.min(deadlineMs, Date.now() + ANSWER_WITHIN_MS));
    try {
      return await this.bus.call(readFunds, { body: { account_id } }, errand);
    } catch (error) {
      this.#logger.warn({ msg: 'a link is opened without asking for funds', requestId, err: error });
      return undefined;
    }
  }
}
