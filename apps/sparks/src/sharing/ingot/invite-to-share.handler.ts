import { Controller } from '@nestjs/common';
import { AppError, validationError, type CallContext, type Input } from '@vaultsvc/contracts';
import {
  INGOT_INVITES_MAX,
  inviteToShare,
  type ShareInvite,
  type Visibility,
} from '@vaultsvc/contracts/sparks';
import { ConcurrentModification, retryOnConflict } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { findInvite, InviteRepository, type Invite } from '../../link/invite.repository.js';
import { causeOfAction } from '../../link/link-events-sql.js';
import { LinkTermsRepository } from '../spark/link-terms.repository.js';
import { IngotShareReader, presentInvite } from './ingot-share-reader.js';

@Controller()
export class InviteToShare {
  constructor(
    private readonly shares: IngotShareReader,
    private readonly terms: LinkTermsRepository,
    private readonly invites: InviteRepository,
  ) {}

  @Handles(inviteToShare)
  async handle({ body }: Input<typeof inviteToShare>, { requestId }: CallContext): Promise<ShareInvite> {
    return retryOnConflict(async () => {
      const link = await this.shares.findActive(body);
      assertInviteOnly(link.visibility);
      assertCanInvite(body.identity, await this.shares.invitesOf(link));
      const added = await this.invites.seal(link.id, [body.identity]);
      const terms = { visibility: link.visibility, invites: { removed: [], added } };
      await this.terms.change(link, terms, causeOfAction(body, requestId));
      const created = (await this.shares.invitesOf(link)).find(({ id }) => id === added[0]?.id);
      // A concurrent call has withdrawn the invite: the caller still asks for one.
      if (!created) throw new ConcurrentModification();
      return presentInvite(created);
    });
  }
}

/** People who are not invited could open a link of any other visibility too (AMB-37). */
function assertInviteOnly(visibility: Visibility): void {
  if (visibility !== 'invite_only')
    throw validationError({
      field: 'identity',
      message: 'the ingot must be shared with visibility invite_only',
    });
}

function assertCanInvite(identity: string, invites: readonly Invite[]): void {
  if (findInvite(invites, identity)) throw new AppError('INVITE_TAKEN');
  if (invites.length >= INGOT_INVITES_MAX) throw new AppError('INVITES_EXHAUSTED');
}
