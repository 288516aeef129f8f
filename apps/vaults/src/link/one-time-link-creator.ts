import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type VaultContext } from '@vaultsvc/contracts';
import { addOneTimeLink, type IngotGrant } from '@vaultsvc/contracts/sparks';
import type { CreatedIngotLink } from '@vaultsvc/contracts/vaults';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { retryOnConflict } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import type { OpenVault } from '../session/vault-authorizer.js';
import { linkActionOf } from '../sharing/share-link-client.js';
import { LinkKeyCreator, type CreatedLink } from './link-key-creator.js';
import { LinkKeyRepository } from './link-key.repository.js';
import { LinkRevoker } from '../sharing/link-revoker.js';

/** A one-time link to be created. */
export interface OneTimeLinkTerms {
  readonly link_id: string;
  readonly ttlSeconds: number;
  /** Of a send; absent: anyone with the link opens it. */
  readonly grant?: IngotGrant;
}

/** A new one-time link. Its code opens it. */
export interface CreatedOneTimeLink extends CreatedIngotLink {
  readonly ingot_id: string;
}

/** Creates one-time links of ingots: the key here, and the link in sparks. */
@Injectable()
export class OneTimeLinkCreator {
  constructor(
    private readonly creator: LinkKeyCreator,
    private readonly keys: LinkKeyRepository,
    private readonly links: LinkRevoker,
    private readonly bus: Bus,
  ) {}

  /** Creates the key first, so that every listed link can be opened. `reference`: the id or the name of the ingot. */
  async create(
    vault: OpenVault,
    reference: string,
    { link_id, ttlSeconds, grant }: OneTimeLinkTerms,
    context: VaultContext,
  ): Promise<CreatedOneTimeLink> {
    const link_code = mintLinkCode(shardOf(context.credential.accountId));
    const link = { link_id, link_code, ttlSeconds };
    // The content may be replaced at the same moment: the link then opens either the old or the new one.
    const created = await retryOnConflict(() => this.creator.create(vault, reference, link, context));
    const { ingot, expires_at } = created;
    const body = { ...linkActionOf(ingot, link_id, context), link_code, expires_at, ...(grant && { grant }) };
    const { link_url, created_at } = await this.bus.call(addOneTimeLink, { body }, serviceContext(context));
    await this.#assertKeyExists(created, link_id, context);
    return { link_code, link_url, expires_at, created_at, ingot_id: ingot.ingotId };
  }

  /** A deletion of the ingot in between has ended its links before this one existed, so it is revoked here. */
  async #assertKeyExists(
    { ingot }: CreatedLink,
    link_id: string,
    { requestId }: VaultContext,
  ): Promise<void> {
    if (await this.keys.exists(link_id)) return;
    const { accountId: account_id, vaultId: vault_id, ingotId: ingot_id } = ingot;
    await this.links.revoke({ account_id, vault_id, ingot_id, link_id, reason: 'removed' }, requestId);
    throw new AppError('INGOT_NOT_FOUND');
  }
}
