import { Injectable } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { INGOT_INVITES_MAX, inviteToShare, type ShareInvite } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { inviteFor, Invites, type Invite } from '../link/invites.js';
import { retried } from '../sharing/retried.js';
import { TermsRepository } from '../sharing/terms.repository.js';
import { causeOfAct } from './cause-of-act.js';
import { IngotShares, shownInvite } from './ingot-shares.js';

@Injectable()
export class InviteToShare {
  constructor(
    private readonly shares: IngotShares,
    private readonly terms: TermsRepository,
    private readonly invites: Invites,
  ) {}

  @Handles(inviteToShare)
  async handle({ body }: Input<typeof inviteToShare>, { requestId }: CallContext): Promise<ShareInvite> {
    return retried(async () => {
      const link = await this.shares.findActive(body);
      assertRoomFor(body.identity, await this.shares.invitesOf(link));
      const added = await this.invites.make(link.id, [body.identity]);
      const terms = { visibility: link.visibility, invites: { dropped: [], added } };
      if (!(await this.terms.change(link, terms, causeOfAct(body, requestId)))) return undefined;
      const made = (await this.shares.invitesOf(link)).find(({ id }) => id === added[0]?.id);
      // Taken back before this answer: whoever asked may ask again.
      return made && shownInvite(made);
    });
  }
}

function assertRoomFor(identity: string, invites: readonly Invite[]): void {
  if (inviteFor(invites, identity)) throw new AppError('INVITE_TAKEN');
  if (invites.length >= INGOT_INVITES_MAX) throw new AppError('INVITES_EXHAUSTED');
}
