import { Controller, Logger } from '@nestjs/common';
import { serviceContext, type AccountContext, type Input } from '@vaultsvc/contracts';
import { deleteLink, type DeletedLink } from '@vaultsvc/contracts/sparks';
import { endLink } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Bus, Handles } from '@vaultsvc/messaging';
import { causeOfCall } from './link-events-sql.js';
import { codesOf } from './ending-link-codes.js';
import { LinkTerminationRepository } from './link-termination.repository.js';
import { LinkRepository, type LinkRow } from './link.repository.js';

const END_LINK_MS_MAX = 2_000;

/** A consumed link stays consumed and a revoked one stays revoked; the response is the same (AMB-36). */
@Controller()
export class DeleteLink {
  readonly #logger = new Logger('links');

  constructor(
    private readonly links: LinkRepository,
    private readonly terminations: LinkTerminationRepository,
    private readonly database: Database,
    private readonly bus: Bus,
  ) {}

  @Handles(deleteLink)
  async handle({ params }: Input<typeof deleteLink>, context: AccountContext): Promise<DeletedLink> {
    const link = await this.links.getByCode(params.link_code, context.credential.accountId);
    const codes = codesOf(link.id, params.link_code);
    await this.terminations.withdraw(this.database, link.id, codes, causeOfCall(context));
    await this.#shredFileKey(link, context.requestId);
    return { deleted: true, link_code: params.link_code };
  }

  /** Asks vaults to shred the wrapped file key now. If vaults does not answer, it does so on the event of the withdrawal. */
  async #shredFileKey({ id, account_id, vault_id, asset_id }: LinkRow, requestId: string): Promise<void> {
    if (vault_id === null) return;
    const body = { account_id, vault_id, ingot_id: asset_id, link_id: id };
    try {
      await this.bus.call(
        endLink,
        { body },
        serviceContext({ requestId, deadlineMs: Date.now() + END_LINK_MS_MAX }),
      );
    } catch (error) {
      const ids = { linkId: id, vaultId: vault_id, requestId };
      this.#logger.warn({ msg: 'vaults will end the link on its event', ...ids, err: error });
    }
  }
}
