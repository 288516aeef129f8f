import { Controller } from '@nestjs/common';
import { type AccountContext, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { openCheckout, type Checkout } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { causeOfCall } from '../../audit/own-record.js';
import { ReportingConfig } from '../../config.js';
import { presentInvoice } from '../invoice/present-invoice.js';
import { InvoiceRepository, type InvoiceRecord } from '../invoice/invoice.repository.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { configurationOf } from '../quote/subscription-state.js';
import { Adjuster, type QuotedChange } from '../subscription/adjuster.js';
import { SubscriptionPresenter } from '../subscription/subscription-presenter.js';
import { CheckoutRepository } from './checkout.repository.js';

/** How long the page of a checkout is open. The credit of an old subscription is that of its start. */
const OPEN_SECONDS = 3_600;
import { TenantBilling } from '../subscription/tenant-billing.js';

@Controller()
export class OpenCheckout {
  constructor(
    private readonly tenants: TenantBilling,
    private readonly database: Database,
    private readonly adjuster: Adjuster,
    private readonly checkouts: CheckoutRepository,
    private readonly invoices: InvoiceRepository,
    private readonly provider: BillingProvider,
    private readonly presenter: SubscriptionPresenter,
    private readonly config: ReportingConfig,
  ) {}

  @Handles(openCheckout)
  async handle(
    { body }: Input<typeof openCheckout>,
    context: ContextOf<typeof openCheckout>,
  ): Promise<Checkout> {
    assertAdmin(context);
    this.tenants.assertTenantDecides();
    const { accountId } = context.credential;
    const change = await this.adjuster.quoteStart(accountId, body);
    const hasPage = this.provider.chargesMethods && change.quote.amountDue > 0;
    return hasPage ? this.#open(accountId, change) : this.#startAtOnce(context, change);
  }

  async #startAtOnce(context: AccountContext, change: QuotedChange): Promise<Checkout> {
    const changed = await this.adjuster.make(context.credential.accountId, causeOfCall(context), change);
    const { name: provider } = this.provider;
    return {
      checkout_id: newId('cs_'),
      status: 'complete',
      provider,
      url: null,
      expires_at: null,
      ...changed,
    };
  }

  async #open(accountId: string, change: QuotedChange): Promise<Checkout> {
    const id = newId('cs_');
    const expiresAt = change.now + OPEN_SECONDS;
    const currency = this.config.BILLING_CURRENCY;
    const invoice = await this.#recordIntent(id, accountId, change, expiresAt);
    const order = { id, accountId, invoiceId: invoice.id, quote: change.quote, currency, expiresAt };
    const url = await this.provider.openCheckout(order);
    return {
      checkout_id: id,
      status: 'open',
      provider: this.provider.name,
      url,
      expires_at: expiresAt,
      subscription: this.presenter.present(change.state),
      invoice: presentInvoice(invoice),
    };
  }

  /** A checkout that the provider never opens expires; one whose answer was lost is found by its id when it is paid. */
  #recordIntent(
    id: string,
    accountId: string,
    change: QuotedChange,
    expiresAt: number,
  ): Promise<InvoiceRecord> {
    const { state, quote, at } = change;
    return this.database.transaction(async (tx) => {
      const currency = this.config.BILLING_CURRENCY;
      const invoice = await this.invoices.insert(tx, accountId, quote, { currency, isDraft: true });
      const { version } = state;
      const checkout = { ...configurationOf(quote.next), id, accountId, invoiceId: invoice.id, version, at };
      await this.checkouts.insert(tx, checkout, expiresAt);
      return invoice;
    });
  }
}
