import { Injectable } from '@nestjs/common';
import {
  actorOf,
  AppError,
  serviceContext,
  type AccountContext,
  type ErrorReason,
} from '@vaultsvc/contracts';
import {
  putIngotShare,
  readIngotShare,
  type IngotLinkAction,
  type IngotLinkRef,
  type IngotShare,
  type IngotShareTerms,
} from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import type { IngotOfVault } from './share.repository.js';

/** Reads and writes the durable links of ingots, which sparks stores: their codes, visibility and invites. */
@Injectable()
export class ShareLinkClient {
  constructor(private readonly bus: Bus) {}

  /** Undefined when the link does not exist or was revoked. */
  async read(ingot: IngotOfVault, linkId: string, context: AccountContext): Promise<IngotShare | undefined> {
    const call = this.bus.call(readIngotShare, { body: refOf(ingot, linkId) }, serviceContext(context));
    return unless('LINK_NOT_FOUND', call);
  }

  /** Creates or changes the link. Undefined when it was revoked: its id cannot be used again. */
  async put(
    ingot: IngotOfVault,
    linkId: string,
    terms: Pick<IngotShareTerms, 'visibility' | 'invites'>,
    context: AccountContext,
  ): Promise<IngotShare | undefined> {
    const body = { ...linkActionOf(ingot, linkId, context), ...terms };
    return unless('LINK_REVOKED', this.bus.call(putIngotShare, { body }, serviceContext(context)));
  }
}

/** The link of an ingot, and the actor of a change to it. */
export function linkActionOf(ingot: IngotOfVault, linkId: string, context: AccountContext): IngotLinkAction {
  return { ...refOf(ingot, linkId), ...actorOf(context) };
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
