import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { causeOfJob } from '../../audit/own-record.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { PaymentCollector } from './payment-collector.js';
import { PaymentRepository } from './payment.repository.js';

const BATCH_MAX = 100;

/** Asks the provider again about payments whose answer was lost: in a timeout, or with the process that waited for it. */
@Injectable()
export class FinishPayments implements Job {
  readonly everySeconds = 60;
  readonly #logger = new Logger('billing');

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentRepository,
    private readonly collector: PaymentCollector,
    private readonly provider: BillingProvider,
  ) {}

  async run(): Promise<void> {
    for (const order of await this.payments.claimUnfinished(this.database, this.provider.name, BATCH_MAX)) {
      try {
        await this.collector.collect(order, causeOfJob('finish-payments'));
      } catch (error) {
        this.#logger.error({ msg: 'a payment is still unknown', paymentId: order.id, err: error });
      }
    }
  }
}
