import { Controller } from '@nestjs/common';
import { AppError, assertAdmin, type AccountContext, type ContextOf, type Input } from '@vaultsvc/contracts';
import { addPaymentMethod, type PaymentMethod } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { AuditRepository } from '../../audit/audit.repository.js';
import { causeOfCall, ownRecord } from '../../audit/own-record.js';
import { BillingProvider, type MethodDetails } from '../provider/billing-provider.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { METHODS_MAX, PaymentMethodRepository } from './payment-method.repository.js';
import { presentMethod } from './present-method.js';

@Controller()
export class AddPaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly audit: AuditRepository,
    private readonly provider: BillingProvider,
  ) {}

  @Handles(addPaymentMethod)
  async handle(
    { body }: Input<typeof addPaymentMethod>,
    context: ContextOf<typeof addPaymentMethod>,
  ): Promise<PaymentMethod> {
    assertAdmin(context);
    const { accountId } = context.credential;
    await this.subscriptions.read(this.database, accountId); // its row holds the default method
    await this.#assertRoom(accountId);
    // Attaching may be repeated; after a crash the event of the provider adds the row.
    const details = await this.provider.attachMethod(accountId, body.token);
    const id = await this.#save(context, details, body.label ?? null);
    const method = await this.methods.find(this.database, accountId, id);
    if (!method) throw new AppError('PAYMENT_METHOD_REFUSED'); // deleted meanwhile
    return presentMethod(method);
  }

  async #save(context: AccountContext, details: MethodDetails, label: string | null): Promise<string> {
    const { accountId } = context.credential;
    const { name: provider } = this.provider;
    return this.database.transaction(async (tx) => {
      const method = { ...details, id: newId('pm_'), accountId, provider, label, eventAt: null };
      const id = await this.methods.save(tx, method);
      if (id === undefined) throw new AppError('PAYMENT_METHOD_REFUSED');
      await this.methods.makeFirstDefault(tx, accountId, id);
      const entry = { type: 'billing_payment_method_added', details: { payment_method_id: id } };
      await this.audit.append(tx, [ownRecord(accountId, causeOfCall(context), entry)]);
      return id;
    });
  }

  async #assertRoom(accountId: string): Promise<void> {
    const methods = await this.methods.list(this.database, accountId);
    if (methods.length >= METHODS_MAX) throw new AppError('PAYMENT_METHODS_EXHAUSTED');
  }
}
