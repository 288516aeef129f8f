import { Injectable } from '@nestjs/common';
import { AppError, validationError, type CallContext, type Input } from '@vaultsvc/contracts';
import { putIngotShare, type IngotShare, type IngotShareTerms } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { InviteRepository } from '../link/invite.repository.js';
import { LinkCodes } from '../link/link-codes.js';
import type { LinkRow } from '../link/link.repository.js';
import { retried } from '../sharing/retried.js';
import { LinkTermsRepository } from '../sharing/link-terms.repository.js';
import { causeOfAction } from '../link/link-events-sql.js';
import { IngotShareRepository } from './ingot-share.repository.js';
import { IngotShareReader } from './ingot-share-reader.js';

/** The same twice makes one link, one event and one invitation for each. */
@Injectable()
export class PutIngotShare {
  constructor(
    private readonly shares: IngotShareReader,
    private readonly repository: IngotShareRepository,
    private readonly terms: LinkTermsRepository,
    private readonly invites: InviteRepository,
    private readonly codes: LinkCodes,
  ) {}

  @Handles(putIngotShare)
  async handle({ body }: Input<typeof putIngotShare>, { requestId }: CallContext): Promise<IngotShare> {
    await retried(async () => {
      const link = await this.shares.find(body);
      if (link?.status === 'revoked') throw new AppError('LINK_REVOKED');
      return (await (link ? this.#change(link, body, requestId) : this.#make(body, requestId))) || undefined;
    });
    // Another may have ended it by now: as if it had been revoked before.
    const link = await this.shares.find(body);
    if (link?.status !== 'active') throw new AppError('LINK_REVOKED');
    return this.shares.show(link);
  }

  async #make(terms: IngotShareTerms, requestId: string): Promise<boolean> {
    const { visibility, invites = [], account_id: accountId, ingot_id: assetId } = terms;
    if (visibility === undefined)
      throw validationError({ field: 'visibility', message: 'visibility is needed to share' });
    const [minted, { added }] = await Promise.all([
      this.codes.mint({ accountId, assetId }),
      this.invites.change(terms.link_id, [], invites),
    ]);
    return this.repository.make({ act: terms, minted, visibility, invites: added, requestId });
  }

  async #change(link: LinkRow, terms: IngotShareTerms, requestId: string): Promise<boolean> {
    const { visibility = link.visibility, invites: wanted } = terms;
    const invites = wanted
      ? await this.invites.change(link.id, await this.shares.invitesOf(link), wanted)
      : { dropped: [], added: [] };
    return this.terms.change(link, { visibility, invites }, causeOfAction(terms, requestId));
  }
}
