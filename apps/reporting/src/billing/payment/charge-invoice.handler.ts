import { Controller } from '@nestjs/common';
import { AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { chargeInvoice, type Invoice } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { causeOfCall, type AuditCause } from '../../audit/own-record.js';
import { InvoiceRepository } from '../invoice/invoice.repository.js';
import { presentInvoice } from '../invoice/present-invoice.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { PaymentCollector } from './payment-collector.js';
import { PaymentRepository } from './payment.repository.js';
import { TenantBilling } from '../subscription/tenant-billing.js';

@Controller()
export class ChargeInvoice {
  constructor(
    private readonly tenants: TenantBilling,
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly invoices: InvoiceRepository,
    private readonly payments: PaymentRepository,
    private readonly collector: PaymentCollector,
    private readonly provider: BillingProvider,
  ) {}

  @Handles(chargeInvoice)
  async handle(
    { body }: Input<typeof chargeInvoice>,
    context: ContextOf<typeof chargeInvoice>,
  ): Promise<Invoice> {
    assertAdmin(context);
    this.tenants.assertTenantDecides();
    const { accountId } = context.credential;
    const { invoice_id: id } = body;
    if (!(await this.#isPaid(accountId, id))) await this.#charge(accountId, id, causeOfCall(context));
    return presentInvoice(await this.#find(accountId, id));
  }

  /** @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_OPEN */
  async #isPaid(accountId: string, id: string): Promise<boolean> {
    const { status } = await this.#find(accountId, id);
    if (status === 'void' || status === 'draft') throw new AppError('INVOICE_NOT_OPEN');
    return status === 'paid';
  }

  async #charge(accountId: string, id: string, cause: AuditCause): Promise<void> {
    await this.#assertMethod(accountId);
    const order = await this.payments.begin(this.database, accountId, id, this.provider.name);
    // Another call is collecting it, and may have done so meanwhile.
    if (!order && (await this.#isPaid(accountId, id))) return;
    const outcome = order && (await this.collector.collect(order, cause));
    if (!outcome || outcome.status === 'pending') throw new AppError('PAYMENT_PENDING');
    if (outcome.status === 'failed') throw new AppError('PAYMENT_DECLINED', { decline_code: outcome.code });
  }

  async #assertMethod(accountId: string): Promise<void> {
    if (!this.provider.chargesMethods) return;
    const { defaultPaymentMethod } = await this.subscriptions.read(this.database, accountId);
    if (defaultPaymentMethod === null) throw new AppError('PAYMENT_METHOD_MISSING');
  }

  async #find(accountId: string, id: string) {
    const invoice = await this.invoices.find(this.database, accountId, id);
    if (!invoice) throw new AppError('INVOICE_NOT_FOUND');
    return invoice;
  }
}
