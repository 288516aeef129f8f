import { Injectable, Logger } from '@nestjs/common';
import { AppError, quotaExceeded, serviceContext, type CallContext } from '@vaultsvc/contracts';
import { readPoolAvailability, type AccountPoolAvailability } from '@vaultsvc/contracts/reporting';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 1_000;

/** Checks the bandwidth pool of a file's owner, which visitors of its links use. */
@Injectable()
export class OwnerPoolChecker {
  readonly #logger = new Logger('links');

  constructor(private readonly bus: Bus) {}

  /**
   * Throws QUOTA_EXCEEDED when the bandwidth of the owner is used up (ENV-24), PLAN_REQUIRED when their plan has ended
   * (ENV-23). Fails open when reporting does not answer (MISC-01).
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
    const callContext = serviceContext({
      requestId,
      deadlineMs: Math.min(deadlineMs, Date.now() + ANSWER_WITHIN_MS),
    });
    try {
      return await this.bus.call(readPoolAvailability, { body: { account_id } }, callContext);
    } catch (error) {
      this.#logger.warn({
        msg: 'a link was opened without checking the pools of its owner',
        requestId,
        err: error,
      });
      return undefined;
    }
  }
}
