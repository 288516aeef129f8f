import { Controller } from '@nestjs/common';
import {
  AppError,
  identityKey,
  serviceContext,
  validationError,
  type Input,
  type VaultContext,
} from '@vaultsvc/contracts';
import { INGOT_INVITES_MAX, inviteToShare, type IngotShare } from '@vaultsvc/contracts/sparks';
import { inviteToIngot, type CreatedInvite } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { InviteAccess, replaceLinkNotFound } from './invite-access.js';
import { ShareLifecycle } from './share-lifecycle.js';
import { linkActionOf } from './share-link-client.js';
import { ShareRepository } from './share.repository.js';

@Controller()
export class InviteToIngot {
  constructor(
    private readonly access: InviteAccess,
    private readonly shares: ShareRepository,
    private readonly lifecycle: ShareLifecycle,
    private readonly bus: Bus,
  ) {}

  @Handles(inviteToIngot)
  async handle(
    { params, body: { identity } }: Input<typeof inviteToIngot>,
    context: VaultContext,
  ): Promise<CreatedInvite> {
    const shared = await this.access.find(params, context);
    const accountId = context.credential.accountId;
    await this.shares.assertEnabled({ vaultId: params.vault_id, accountId });
    if (!shared) throw new AppError('INGOT_NOT_SHARED');
    const { ingot, linkId, link, lock } = shared;
    assertCanInvite(link, identity);
    if (!(await this.lifecycle.beginUpdate(ingot, linkId, lock, context)))
      throw new AppError('INGOT_NOT_SHARED');
    const call = { body: { ...linkActionOf(ingot, linkId, context), identity } };
    return replaceLinkNotFound(
      this.bus.call(inviteToShare, call, serviceContext(context)),
      'INGOT_NOT_SHARED',
    );
  }
}

/** Sparks checks this again; here it avoids a change for an invite that sparks refuses. */
function assertCanInvite({ visibility, invites }: IngotShare, identity: string): void {
  if (visibility !== 'invite_only')
    throw validationError({
      field: 'identity',
      message: 'the ingot must be shared with visibility invite_only',
    });
  const isTaken = invites.some((invite) => identityKey(invite.identity) === identityKey(identity));
  if (isTaken) throw new AppError('INVITE_TAKEN');
  if (invites.length >= INGOT_INVITES_MAX) throw new AppError('INVITES_EXHAUSTED');
}
