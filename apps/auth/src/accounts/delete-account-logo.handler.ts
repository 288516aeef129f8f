import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { accountChanged, deleteAccountLogo, type DeletedLogo } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { AccountDetailsRepository } from './account-details.repository.js';

@Controller()
export class DeleteAccountLogo {
  constructor(
    private readonly database: Database,
    private readonly details: AccountDetailsRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(deleteAccountLogo)
  async handle(
    _: Input<typeof deleteAccountLogo>,
    context: ContextOf<typeof deleteAccountLogo>,
  ): Promise<DeletedLogo> {
    assertAdmin(context);
    const { accountId } = context.credential;
    await this.database.transaction(async (tx) => {
      if (!(await this.details.removeLogos(tx, accountId))) return;
      const fact = { account_id: accountId, actor_id: actorIdOf(context) };
      await this.outbox.publish(tx, accountChanged, fact, context);
    });
    return { deleted: true };
  }
}
