import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { causeOfJob } from '../../audit/own-record.js';
import { BillingTerms } from './billing-terms.js';
import { quoteRenewal } from '../quote/quote.js';
import { SubscriptionChanger } from './subscription-changer.js';
import { SubscriptionRepository } from './subscription.repository.js';

const BATCH_MAX = 100;

/**
 * Starts the next period of subscriptions, with its invoice, or ends them. Safe on any number of instances: a renewal replaces one
 * version. After an outage, each period that has passed gets its own invoice.
 */
@Injectable()
export class RenewSubscriptions implements Job {
  readonly everySeconds = 60;
  readonly #logger = new Logger('billing');

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changer: SubscriptionChanger,
    private readonly terms: BillingTerms,
  ) {}

  async run(): Promise<void> {
    for (;;) {
      const accounts = await this.subscriptions.findEnded(this.database, BATCH_MAX);
      let renewed = 0;
      for (const accountId of accounts) renewed += await this.#renew(accountId);
      if (renewed === 0) return;
    }
  }

  /** Returns the number of subscriptions renewed. A failure must not keep those of other accounts waiting. */
  async #renew(accountId: string): Promise<number> {
    try {
      const { state, now } = await this.subscriptions.read(this.database, accountId);
      if (state.status !== 'active' || state.periodEnd > now) return 0;
      const quote = quoteRenewal(state, this.terms);
      await this.database.transaction((tx) =>
        this.changer.apply(tx, accountId, state, quote, {
          isForced: true,
          cause: causeOfJob('renew-subscriptions'),
        }),
      );
      return 1;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'SUBSCRIPTION_CHANGED') return 1; // another instance was faster
      this.#logger.error({ msg: 'a subscription was not renewed', accountId, err: error });
      return 0;
    }
  }
}
