import { Injectable } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { INGOT_INVITES_MAX, inviteToShare, type ShareInvite } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { findInvite, InviteRepository, type Invite } from '../link/invite.repository.js';
import { retried } from '../sharing/retried.js';
import { LinkTermsRepository } from '../sharing/link-terms.repository.js';
import { causeOfAction } from '../link/link-events-sql.js';
import { IngotShareReader, presentInvite } from './ingot-share-reader.js';

@Injectable()
export class InviteToShare {
  constructor(
    private readonly shares: IngotShareReader,
    private readonly terms: LinkTermsRepository,
    private readonly invites: InviteRepository,
  ) {}

  @Handles(inviteToShare)
  async handle({ body }: Input<typeof inviteToShare>, { requestId }: CallContext): Promise<ShareInvite> {
    return retried(async () => {
      const link = await this.shares.findActive(body);
      assertRoomFor(body.identity, await this.shares.invitesOf(link));
      const added = await this.invites.make(link.id, [body.identity]);
      const terms = { visibility: link.visibility, invites: { dropped: [], added } };
      if (!(await this.terms.change(link, terms, causeOfAction(body, requestId)))) return undefined;
      const made = (await this.shares.invitesOf(link)).find(({ id }) => id === added[0]?.id);
      // Taken back before this answer: whoever asked may ask again.
      return made && presentInvite(made);
    });
  }
}

function assertRoomFor(identity: string, invites: readonly Invite[]): void {
  if (findInvite(invites, identity)) throw new AppError('INVITE_TAKEN');
  if (invites.length >= INGOT_INVITES_MAX) throw new AppError('INVITES_EXHAUSTED');
}
