import { Injectable } from '@nestjs/common';
import { AppError, type VaultContext } from '@vaultsvc/contracts';
import type { IngotShare, ShareInvite } from '@vaultsvc/contracts/sparks';
import type { IngotParams } from '@vaultsvc/contracts/vaults';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { VaultAuthorizer, type LockVault } from '../session/vault-authorizer.js';
import type { IngotOfVault } from './share.repository.js';
import { SharingReader } from './sharing-reader.js';

/** A shared ingot whose invites the caller may change. */
export interface SharedIngot {
  readonly ingot: IngotOfVault;
  readonly linkId: string;
  readonly link: IngotShare;
  readonly lock: LockVault;
}

/** Authorizes changes of invites and finds their shared ingot. */
@Injectable()
export class InviteAccess {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly ingots: IngotFinder,
    private readonly reader: SharingReader,
  ) {}

  /** Undefined when the ingot is not shared. Throws what `VaultAuthorizer.authorize` and `IngotFinder.find` do. */
  async find(params: IngotParams, context: VaultContext): Promise<SharedIngot | undefined> {
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    const { ingotId } = await this.ingots.find(ids, params.ingot_id);
    const ingot = { ...ids, ingotId };
    const { share, link } = await this.reader.read(ingot, context);
    return share && link && { ingot, linkId: share.linkId, link, lock };
  }

  /** Throws INVITE_NOT_FOUND also when the ingot is not shared. */
  async findInvite(
    params: IngotParams & { invite_id: string },
    context: VaultContext,
  ): Promise<SharedIngot & { readonly invite: ShareInvite }> {
    const shared = await this.find(params, context);
    const invite = shared?.link.invites.find(({ invite_id }) => invite_id === params.invite_id);
    if (!shared || !invite) throw new AppError('INVITE_NOT_FOUND');
    return { ...shared, invite };
  }
}

/** Replaces LINK_NOT_FOUND, for calls about a link that existed a moment ago, with the reason of the caller's operation. */
export async function replaceLinkNotFound<T>(
  call: Promise<T>,
  reason: 'INGOT_NOT_SHARED' | 'INVITE_NOT_FOUND',
): Promise<T> {
  return call.catch((error: unknown) => {
    throw error instanceof AppError && error.reason === 'LINK_NOT_FOUND' ? new AppError(reason) : error;
  });
}
