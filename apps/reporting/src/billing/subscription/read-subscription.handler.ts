import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { readSubscription, type Subscription } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { SubscriptionPresenter } from './subscription-presenter.js';
import { SubscriptionRepository } from './subscription.repository.js';

@Controller()
export class ReadSubscription {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  @Handles(readSubscription)
  async handle(
    _: Input<typeof readSubscription>,
    { credential }: ContextOf<typeof readSubscription>,
  ): Promise<Subscription> {
    const { state } = await this.subscriptions.read(this.database, credential.accountId);
    return this.presenter.present(state);
  }
}
