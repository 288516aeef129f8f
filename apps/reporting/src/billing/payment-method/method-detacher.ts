import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { BillingProvider } from '../provider/billing-provider.js';
import { PaymentMethodRepository, type DetachingMethod } from './payment-method.repository.js';

const BATCH_MAX = 100;

/** Detaches deleted payment methods at the provider, which may be repeated. As a job: those whose call has failed. */
@Injectable()
export class MethodDetacher implements Job {
  readonly everySeconds = 300;
  readonly #logger = new Logger('billing');

  constructor(
    private readonly database: Database,
    private readonly methods: PaymentMethodRepository,
    private readonly provider: BillingProvider,
  ) {}

  async detach({ id, ref }: DetachingMethod): Promise<void> {
    await this.provider.detachMethod(ref);
    await this.methods.finishDetach(this.database, id);
  }

  async run(): Promise<void> {
    for (const method of await this.methods.findDetaching(this.database, this.provider.name, BATCH_MAX)) {
      try {
        await this.detach(method);
      } catch (error) {
        this.#logger.error({ msg: 'a payment method is still attached', id: method.id, err: error });
      }
    }
  }
}
