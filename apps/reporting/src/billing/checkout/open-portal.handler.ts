import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { openPortal, type BillingPortal } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { BillingProvider } from '../provider/billing-provider.js';

@Controller()
export class OpenPortal {
  constructor(private readonly provider: BillingProvider) {}

  @Handles(openPortal)
  async handle(_: Input<typeof openPortal>, context: ContextOf<typeof openPortal>): Promise<BillingPortal> {
    assertAdmin(context);
    const url = await this.provider.openPortal(context.credential.accountId);
    return { provider: this.provider.name, url };
  }
}
