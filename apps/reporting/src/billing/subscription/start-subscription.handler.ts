import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { startSubscription, type ChangedSubscription } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { causeOfCall } from '../../audit/own-record.js';
import { Adjuster } from './adjuster.js';
import { TenantBilling } from './tenant-billing.js';

@Controller()
export class StartSubscription {
  constructor(
    private readonly tenants: TenantBilling,
    private readonly adjuster: Adjuster,
  ) {}

  @Handles(startSubscription)
  async handle(
    { body }: Input<typeof startSubscription>,
    context: ContextOf<typeof startSubscription>,
  ): Promise<ChangedSubscription> {
    assertAdmin(context);
    this.tenants.assertTenantDecides();
    const { accountId } = context.credential;
    return this.adjuster.make(
      accountId,
      causeOfCall(context),
      await this.adjuster.quoteStart(accountId, body),
    );
  }
}
