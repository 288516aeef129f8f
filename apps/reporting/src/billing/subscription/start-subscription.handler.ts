import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { startSubscription, type ChangedSubscription } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { Adjuster } from './adjuster.js';

@Controller()
export class StartSubscription {
  constructor(private readonly adjuster: Adjuster) {}

  @Handles(startSubscription)
  async handle(
    { body }: Input<typeof startSubscription>,
    context: ContextOf<typeof startSubscription>,
  ): Promise<ChangedSubscription> {
    assertAdmin(context);
    const { accountId } = context.credential;
    return this.adjuster.make(context, await this.adjuster.quoteStart(accountId, body));
  }
}
