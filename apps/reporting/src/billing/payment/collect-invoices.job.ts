import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { ReportingConfig } from '../../config.js';
import { causeOfJob } from '../../audit/own-record.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { PaymentCollector } from './payment-collector.js';
import { PaymentRepository, type DueInvoice } from './payment.repository.js';

const BATCH_MAX = 100;

/** Charges open invoices to the default payment method, and again every day while that fails, until they are overdue. */
@Injectable()
export class CollectInvoices implements Job {
  readonly everySeconds = 30;
  readonly #logger = new Logger('billing');

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentRepository,
    private readonly collector: PaymentCollector,
    private readonly provider: BillingProvider,
    private readonly config: ReportingConfig,
  ) {}

  async run(): Promise<void> {
    if (!this.provider.chargesMethods) return;
    const { BILLING_GRACE_DAYS: days } = this.config;
    for (const due of await this.payments.findDue(this.database, days, BATCH_MAX))
      await this.#collect(due).catch((error: unknown) => {
        this.#logger.error({ msg: 'an invoice was not charged', invoiceId: due.invoiceId, err: error });
      });
  }

  async #collect({ accountId, invoiceId }: DueInvoice): Promise<void> {
    const order = await this.payments.begin(this.database, accountId, invoiceId, this.provider.name);
    if (order) await this.collector.collect(order, causeOfJob('collect-invoices'));
  }
}
