import { Controller } from '@nestjs/common';
import { pickActor, type CallContext, type Input } from '@vaultsvc/contracts';
import { revokeLinks, type LinksRevoked } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { LinkTerminationRepository } from '../../link/link-termination.repository.js';
import { SYSTEM } from '../../link/link-events-sql.js';

@Controller()
export class RevokeLinks {
  constructor(
    private readonly terminations: LinkTerminationRepository,
    private readonly database: Database,
  ) {}

  @Handles(revokeLinks)
  async handle({ body }: Input<typeof revokeLinks>, { requestId }: CallContext): Promise<LinksRevoked> {
    const links = {
      accountId: body.account_id,
      vaultId: body.vault_id,
      ingotId: body.ingot_id,
      linkId: body.link_id,
    };
    const { actor_type } = body;
    const actor = actor_type === null ? SYSTEM : { ...pickActor(body), actor_type };
    if (body.reason === 'removed') await this.terminations.remove(this.database, links, requestId);
    else await this.terminations.revoke(this.database, links, { actor, requestId });
    return {};
  }
}
