import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { causeOfJob } from '../../audit/own-record.js';
import { ReportingConfig } from '../../config.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { BillingTerms } from './billing-terms.js';
import { quotePastDue, quoteRecovery } from '../quote/quote.js';
import { SubscriptionChanger } from './subscription-changer.js';
import { SubscriptionRepository, type Standing } from './subscription.repository.js';

const BATCH_MAX = 100;

/**
 * Stops subscriptions with an invoice that is overdue, and resumes them once it is paid. Only where the provider charges: manual
 * invoices are paid by transfers that this service learns of late.
 */
@Injectable()
export class ReviewStanding implements Job {
  readonly everySeconds = 60;
  readonly #logger = new Logger('billing');

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changer: SubscriptionChanger,
    private readonly provider: BillingProvider,
    private readonly terms: BillingTerms,
    private readonly config: ReportingConfig,
  ) {}

  async run(): Promise<void> {
    if (!this.provider.chargesMethods) return;
    const { BILLING_GRACE_DAYS: days } = this.config;
    for (const standing of await this.subscriptions.findStanding(this.database, days, BATCH_MAX))
      await this.#apply(standing).catch((error: unknown) => this.#report(standing, error));
  }

  async #apply({ accountId, isOverdue }: Standing): Promise<void> {
    const { state, now } = await this.subscriptions.read(this.database, accountId);
    if (state.status !== (isOverdue ? 'active' : 'past_due')) return;
    const at = Math.max(now, state.changedAt);
    const quote = isOverdue ? quotePastDue(state, this.terms, at) : quoteRecovery(state, this.terms, at);
    await this.database.transaction((tx) =>
      this.changer.apply(tx, accountId, state, quote, {
        isForced: true,
        cause: causeOfJob('review-standing'),
      }),
    );
  }

  /** A change that came in between is reviewed in the next run. */
  #report({ accountId }: Standing, error: unknown): void {
    if (error instanceof AppError && error.reason === 'SUBSCRIPTION_CHANGED') return;
    this.#logger.error({ msg: 'a standing was not reviewed', accountId, err: error });
  }
}
