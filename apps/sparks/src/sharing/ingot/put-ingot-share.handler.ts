import { Controller } from '@nestjs/common';
import { AppError, validationError, type CallContext, type Input } from '@vaultsvc/contracts';
import { putIngotShare, type IngotShare, type IngotShareTerms } from '@vaultsvc/contracts/sparks';
import { retryOnConflict } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { InviteRepository } from '../../link/invite.repository.js';
import { causeOfAction } from '../../link/link-events-sql.js';
import { LinkSealer } from '../../link/link-sealer.js';
import type { LinkRow } from '../../link/link.repository.js';
import { LinkTermsRepository } from '../spark/link-terms.repository.js';
import { IngotShareReader } from './ingot-share-reader.js';
import { IngotShareRepository } from './ingot-share.repository.js';

/** Idempotent: a repeated call creates no second link, event or invitation. */
@Controller()
export class PutIngotShare {
  constructor(
    private readonly reader: IngotShareReader,
    private readonly shares: IngotShareRepository,
    private readonly terms: LinkTermsRepository,
    private readonly invites: InviteRepository,
    private readonly sealer: LinkSealer,
  ) {}

  @Handles(putIngotShare)
  async handle({ body }: Input<typeof putIngotShare>, { requestId }: CallContext): Promise<IngotShare> {
    await retryOnConflict(async () => {
      const link = await this.reader.find(body);
      if (link?.status === 'revoked') throw new AppError('LINK_REVOKED');
      await (link ? this.#change(link, body, requestId) : this.#create(body, requestId));
    });
    // A concurrent call may have revoked the link: the answer is the same as for a link revoked before.
    const link = await this.reader.find(body);
    if (link?.status !== 'active') throw new AppError('LINK_REVOKED');
    return this.reader.present(link);
  }

  async #create(terms: IngotShareTerms, requestId: string): Promise<void> {
    const { visibility, invites = [], account_id: accountId, ingot_id: assetId } = terms;
    if (visibility === undefined)
      throw validationError({ field: 'visibility', message: 'visibility is needed to share' });
    const [minted, { added }] = await Promise.all([
      this.sealer.mintCode({ accountId, assetId }),
      this.invites.diff(terms.link_id, [], invites),
    ]);
    await this.shares.create({ action: terms, minted, visibility, invites: added, requestId });
  }

  async #change(link: LinkRow, terms: IngotShareTerms, requestId: string): Promise<void> {
    const { visibility = link.visibility, invites: requested } = terms;
    const invites = requested
      ? await this.invites.diff(link.id, await this.reader.invitesOf(link), requested)
      : { removed: [], added: [] };
    await this.terms.change(link, { visibility, invites }, causeOfAction(terms, requestId));
  }
}
