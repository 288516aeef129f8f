import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input, validationError } from '@vaultsvc/contracts';
import { accountChanged, updateAccount, type Account, type AccountChange } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { AccountDetailsRepository } from './account-details.repository.js';
import { displayName } from '../names/display-name.js';

@Controller()
export class UpdateAccount {
  constructor(
    private readonly database: Database,
    private readonly details: AccountDetailsRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(updateAccount)
  async handle(
    { body }: Input<typeof updateAccount>,
    context: ContextOf<typeof updateAccount>,
  ): Promise<Account> {
    assertAdmin(context);
    const change = readChange(body);
    const { accountId } = context.credential;
    return this.database.transaction(async (tx) => {
      const changed = await this.details.change(tx, accountId, change);
      const fact = { account_id: accountId, actor_id: actorIdOf(context) };
      await this.outbox.publish(tx, accountChanged, fact, context);
      return changed;
    });
  }
}

function readChange(change: AccountChange): AccountChange {
  const { organization_name: name, logo_url_light: light, logo_url_dark: dark } = change;
  if (name === undefined && light === undefined && dark === undefined) {
    const message = 'give at least one of organization_name, logo_url_light and logo_url_dark';
    throw validationError({ field: '', message });
  }
  return name === undefined
    ? change
    : { ...change, organization_name: displayName('organization_name', name) };
}
