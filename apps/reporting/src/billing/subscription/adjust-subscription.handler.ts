import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { adjustSubscription, type ChangedSubscription } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { Adjuster } from './adjuster.js';

@Controller()
export class AdjustSubscription {
  constructor(private readonly adjuster: Adjuster) {}

  @Handles(adjustSubscription)
  async handle(
    { body }: Input<typeof adjustSubscription>,
    context: ContextOf<typeof adjustSubscription>,
  ): Promise<ChangedSubscription> {
    assertAdmin(context);
    const { accountId } = context.credential;
    return this.adjuster.make(context, await this.adjuster.quoteAdjustment(accountId, body));
  }
}
