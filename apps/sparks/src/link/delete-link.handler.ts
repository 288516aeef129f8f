import { Controller, Logger } from '@nestjs/common';
import { serviceContext, type AccountContext, type Input } from '@vaultsvc/contracts';
import { consumedLinkWithdrawn, deleteLink, type DeletedLink } from '@vaultsvc/contracts/sparks';
import { endLink } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Bus, Handles, Outbox } from '@vaultsvc/messaging';
import { causeOfCall } from './link-events-sql.js';
import { codesOf } from './ending-link-codes.js';
import { LinkTerminationRepository } from './link-termination.repository.js';
import { LinkRepository, type LinkRow } from './link.repository.js';

const END_LINK_MS_MAX = 2_000;

/**
 * A consumed link stays consumed and a revoked one stays revoked; the response is the same (AMB-36). The download of a
 * consumed link may still be running or resumable. If forge does not end it now, an event of its own does once forge is back: the
 * event of the end of this link was its consumption, which ends no download.
 */
@Controller()
export class DeleteLink {
  readonly #logger = new Logger('links');

  constructor(
    private readonly links: LinkRepository,
    private readonly terminations: LinkTerminationRepository,
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly outbox: Outbox,
  ) {}

  @Handles(deleteLink)
  async handle({ params }: Input<typeof deleteLink>, context: AccountContext): Promise<DeletedLink> {
    const link = await this.links.getByCode(params.link_code, context.credential.accountId);
    const codes = codesOf(link.id, params.link_code);
    await this.terminations.withdraw(this.database, link.id, codes, causeOfCall(context));
    const isEnded = await this.#shredFileKey(link, context.requestId);
    if (!isEnded) await this.#endDownloadsLater(link, params.link_code, context);
    return { deleted: true, link_code: params.link_code };
  }

  /** The event of a link that was active follows from its withdrawal. */
  async #endDownloadsLater(
    { id: link_id, account_id, vault_id }: LinkRow,
    code: string,
    context: AccountContext,
  ): Promise<void> {
    const { status } = await this.links.getByCode(code, account_id);
    if (status !== 'consumed' || vault_id === null) return;
    await this.database.transaction((tx) =>
      this.outbox.publish(tx, consumedLinkWithdrawn, { account_id, vault_id, link_id }, context),
    );
  }

  /**
   * Asks vaults to shred the wrapped file key now and to end the downloads; returns whether both were done. If not, vaults
   * and forge do so on an event.
   */
  async #shredFileKey({ id, account_id, vault_id, asset_id }: LinkRow, requestId: string): Promise<boolean> {
    if (vault_id === null) return true;
    const body = { account_id, vault_id, ingot_id: asset_id, link_id: id };
    try {
      const { are_downloads_ended = true } = await this.bus.call(
        endLink,
        { body },
        serviceContext({ requestId, deadlineMs: Date.now() + END_LINK_MS_MAX }),
      );
      return are_downloads_ended;
    } catch (error) {
      const ids = { linkId: id, vaultId: vault_id, requestId };
      this.#logger.warn({ msg: 'vaults has not ended the link', ...ids, err: error });
      return false;
    }
  }
}
