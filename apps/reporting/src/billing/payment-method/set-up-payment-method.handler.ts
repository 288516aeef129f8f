import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { setUpPaymentMethod, type PaymentMethodSetup } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { BillingProvider } from '../provider/billing-provider.js';

@Controller()
export class SetUpPaymentMethod {
  constructor(private readonly provider: BillingProvider) {}

  @Handles(setUpPaymentMethod)
  async handle(
    _: Input<typeof setUpPaymentMethod>,
    context: ContextOf<typeof setUpPaymentMethod>,
  ): Promise<PaymentMethodSetup> {
    assertAdmin(context);
    const { clientSecret, publishableKey } = await this.provider.setUpMethod(context.credential.accountId);
    return { provider: this.provider.name, client_secret: clientSecret, publishable_key: publishableKey };
  }
}
