import { Controller } from '@nestjs/common';
import { assertAdmin, type AccountContext, type Input } from '@vaultsvc/contracts';
import {
  appUpdated,
  createCrmbSessionSecret,
  type CrmbSessionSecret,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { CrmbSessionSecrets } from '../crm/crmb-session-secrets.js';
import { InstallationChanges } from '../lifecycle/installation-changes.js';

@Controller()
export class CreateCrmbSessionSecret {
  constructor(
    private readonly secrets: CrmbSessionSecrets,
    private readonly changes: InstallationChanges,
  ) {}

  @Handles(createCrmbSessionSecret)
  async handle(
    _: Input<typeof createCrmbSessionSecret>,
    context: AccountContext,
  ): Promise<CrmbSessionSecret> {
    assertAdmin(context);
    const { text: session_secret, sealed } = await this.secrets.draw(context.credential.accountId);
    const { orgId: org_id, formerEndsAt } = await this.changes.apply(
      appUpdated,
      'crmb',
      context,
      (tx, accountId) => this.secrets.replace(tx, accountId, sealed),
    );
    return { org_id, session_secret, former_ends_at: formerEndsAt };
  }
}
