import { Controller, Logger } from '@nestjs/common';
import { AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { deletePaymentMethod } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { AuditRepository } from '../../audit/audit.repository.js';
import { causeOfCall, ownRecord } from '../../audit/own-record.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { MethodDetacher } from './method-detacher.js';
import { PaymentMethodRepository } from './payment-method.repository.js';

@Controller()
export class DeletePaymentMethod {
  readonly #logger = new Logger('billing');

  constructor(
    private readonly database: Database,
    private readonly methods: PaymentMethodRepository,
    private readonly audit: AuditRepository,
    private readonly detacher: MethodDetacher,
    private readonly provider: BillingProvider,
  ) {}

  @Handles(deletePaymentMethod)
  async handle(
    { params }: Input<typeof deletePaymentMethod>,
    context: ContextOf<typeof deletePaymentMethod>,
  ): Promise<void> {
    assertAdmin(context);
    const { accountId } = context.credential;
    const { payment_method_id: id } = params;
    const method = await this.database.transaction(async (tx) => {
      const found = await this.methods.beginDetach(tx, accountId, id);
      const entry = { type: 'billing_payment_method_removed', details: { payment_method_id: id } };
      if (found) await this.audit.append(tx, [ownRecord(accountId, causeOfCall(context), entry)]);
      return found;
    });
    if (!method) throw new AppError('PAYMENT_METHOD_NOT_FOUND');
    if (method.ref === null || method.provider !== this.provider.name) return;
    // It is deleted for the caller: no invoice is charged to it any more. The job detaches it at the provider otherwise.
    await this.detacher.detach({ id, ref: method.ref }).catch((error: unknown) => {
      this.#logger.warn({ msg: 'a payment method is not detached yet', id, err: error });
    });
  }
}
