import { Controller } from '@nestjs/common';
import { AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { makeDefaultPaymentMethod, type PaymentMethod } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { PaymentMethodRepository } from './payment-method.repository.js';
import { presentMethod } from './present-method.js';

@Controller()
export class MakeDefaultPaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly methods: PaymentMethodRepository,
  ) {}

  @Handles(makeDefaultPaymentMethod)
  async handle(
    { params }: Input<typeof makeDefaultPaymentMethod>,
    context: ContextOf<typeof makeDefaultPaymentMethod>,
  ): Promise<PaymentMethod> {
    assertAdmin(context);
    const { accountId } = context.credential;
    const { payment_method_id: id } = params;
    const isMade = await this.methods.makeDefault(this.database, accountId, id);
    const method = isMade && (await this.methods.find(this.database, accountId, id));
    if (!method) throw new AppError('PAYMENT_METHOD_NOT_FOUND');
    return presentMethod(method);
  }
}
