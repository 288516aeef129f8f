import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { previewAdjustment, type AdjustmentPreview } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { ReportingConfig } from '../../config.js';
import { presentQuote } from '../invoice/present-invoice.js';
import { Adjuster } from './adjuster.js';
import { SubscriptionPresenter } from './subscription-presenter.js';

@Controller()
export class PreviewAdjustment {
  constructor(
    private readonly adjuster: Adjuster,
    private readonly presenter: SubscriptionPresenter,
    private readonly config: ReportingConfig,
  ) {}

  @Handles(previewAdjustment)
  async handle(
    { body }: Input<typeof previewAdjustment>,
    context: ContextOf<typeof previewAdjustment>,
  ): Promise<AdjustmentPreview> {
    assertAdmin(context);
    const { accountId } = context.credential;
    const { state, quote, at } = await this.adjuster.quoteAdjustment(accountId, body);
    return {
      subscription: this.presenter.present(quote.next),
      invoice: presentQuote(quote, this.config.BILLING_CURRENCY, at),
      version: state.version,
      as_of: at,
    };
  }
}
