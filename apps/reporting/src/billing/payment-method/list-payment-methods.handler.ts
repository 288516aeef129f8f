import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { listPaymentMethods, type PaymentMethodList } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { PaymentMethodRepository } from './payment-method.repository.js';
import { presentMethod } from './present-method.js';

@Controller()
export class ListPaymentMethods {
  constructor(
    private readonly database: Database,
    private readonly methods: PaymentMethodRepository,
  ) {}

  @Handles(listPaymentMethods)
  async handle(
    _: Input<typeof listPaymentMethods>,
    { credential }: ContextOf<typeof listPaymentMethods>,
  ): Promise<PaymentMethodList> {
    const methods = await this.methods.list(this.database, credential.accountId);
    return { payment_methods: methods.map(presentMethod) };
  }
}
