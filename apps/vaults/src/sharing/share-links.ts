import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type AccountContext, type ErrorReason } from '@vaultsvc/contracts';
import {
  putIngotShare,
  readIngotShare,
  type IngotLinkAction,
  type IngotLinkRef,
  type IngotShare,
  type IngotShareTerms,
} from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import type { IngotOfVault } from './share.repository.js';

/** The durable links of ingots, as sparks keeps them: their codes, and who may open them. */
@Injectable()
export class ShareLinks {
  constructor(private readonly bus: Bus) {}

  /** Undefined: sparks does not have it, or it was withdrawn. */
  async read(ingot: IngotOfVault, linkId: string, context: AccountContext): Promise<IngotShare | undefined> {
    const call = this.bus.call(readIngotShare, { body: refOf(ingot, linkId) }, errandOf(context));
    return unless('LINK_NOT_FOUND', call);
  }

  /** Makes or changes it. Undefined: it was withdrawn, and this id gives no link any more. */
  async put(
    ingot: IngotOfVault,
    linkId: string,
    terms: Pick<IngotShareTerms, 'visibility' | 'invites'>,
    context: AccountContext,
  ): Promise<IngotShare | undefined> {
    const body = { ...actOf(ingot, linkId, context), ...terms };
    return unless('LINK_REVOKED', this.bus.call(putIngotShare, { body }, errandOf(context)));
  }
}

/** Without the caller's credential and access token, of which sparks has no need. */
export function errandOf({ requestId, deadlineMs }: AccountContext) {
  return serviceContext(requestId, deadlineMs);
}

/** The link of an ingot, and who does something to it. */
export function actOf(ingot: IngotOfVault, linkId: string, context: AccountContext): IngotLinkAction {
  const { actor_type, actor_id } = actionOf(context, ingot.vaultId);
  return { ...refOf(ingot, linkId), actor_type, actor_id };
}

function refOf({ accountId, vaultId, ingotId }: IngotOfVault, link_id: string): IngotLinkRef {
  return { account_id: accountId, vault_id: vaultId, ingot_id: ingotId, link_id };
}

async function unless<T>(reason: ErrorReason, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AppError && error.reason === reason) return undefined;
    throw error;
  }
}
