import { Injectable } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { deleteLink, type DeletedLink } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { LinkTerminationRepository } from './link-termination.repository.js';
import { causeOfCall } from './link-events-sql.js';
import { OwnLinks } from './own-links.js';
import { SharedFiles } from './shared-files.js';

/** What was opened stays consumed; what is revoked stays so: the answer is the same (AMB-36). */
@Injectable()
export class DeleteLink {
  constructor(
    private readonly links: OwnLinks,
    private readonly endings: LinkTerminationRepository,
    private readonly files: SharedFiles,
    private readonly database: Database,
  ) {}

  @Handles(deleteLink)
  async handle({ params }: Input<typeof deleteLink>, context: AccountContext): Promise<DeletedLink> {
    const link = await this.links.find(params.link_code, context.credential.accountId);
    await this.endings.withdraw(this.database, link.id, causeOfCall(context));
    if (link.vault_id !== null)
      await this.files.end(
        {
          account_id: link.account_id,
          vault_id: link.vault_id,
          ingot_id: link.asset_id,
          link_id: link.id,
        },
        context.requestId,
      );
    return { deleted: true, link_code: params.link_code };
  }
}
