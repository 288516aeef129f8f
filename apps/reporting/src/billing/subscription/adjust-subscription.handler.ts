import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { adjustSubscription, type ChangedSubscription } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { causeOfCall } from '../../audit/own-record.js';
import { Adjuster } from './adjuster.js';
import { TenantBilling } from './tenant-billing.js';

@Controller()
export class AdjustSubscription {
  constructor(
    private readonly tenants: TenantBilling,
    private readonly adjuster: Adjuster,
  ) {}

  @Handles(adjustSubscription)
  async handle(
    { body }: Input<typeof adjustSubscription>,
    context: ContextOf<typeof adjustSubscription>,
  ): Promise<ChangedSubscription> {
    assertAdmin(context);
    this.tenants.assertTenantDecides();
    const { accountId } = context.credential;
    return this.adjuster.make(
      accountId,
      causeOfCall(context),
      await this.adjuster.quoteAdjustment(accountId, body),
    );
  }
}
