import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, type Input, type VaultContext } from '@vaultsvc/contracts';
import { addOneTimeLink } from '@vaultsvc/contracts/sparks';
import { createIngotLink, type CreatedIngotLink } from '@vaultsvc/contracts/vaults';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { Bus, Handles } from '@vaultsvc/messaging';
import { retryOnConflict } from '@vaultsvc/database';
import { VaultAccess, type OpenVault } from '../session/vault-access.js';
import { actOf, errandOf } from '../sharing/share-links.js';
import { LinkKeyRepository } from './link-key.repository.js';
import { LinkMint, type MintedLink } from './link-mint.js';
import { LinkRevocations } from './link-revocations.js';

@Injectable()
export class CreateIngotLink {
  constructor(
    private readonly access: VaultAccess,
    private readonly mint: LinkMint,
    private readonly keys: LinkKeyRepository,
    private readonly links: LinkRevocations,
    private readonly bus: Bus,
  ) {}

  @Handles(createIngotLink)
  async handle(input: Input<typeof createIngotLink>, context: VaultContext): Promise<CreatedIngotLink> {
    return this.access.withOpenVault(input.params, context, 'write', (vault) =>
      this.#create(vault, input, context),
    );
  }

  /** The key first: a link that is listed can be opened. */
  async #create(
    vault: OpenVault,
    { params, body }: Input<typeof createIngotLink>,
    context: VaultContext,
  ): Promise<CreatedIngotLink> {
    const [link_id, link_code] = [randomUUID(), mintLinkCode()];
    const link = { link_id, link_code, ttlSeconds: body.expires_in_seconds };
    // Its content may be replaced at the same moment: the link gives the old one or the new one, whole.
    const minted = await retryOnConflict(() => this.mint.mint(vault, params.ingot_id, link, context));
    const { ingot, expires_at } = minted;
    const call = { body: { ...actOf(ingot, link_id, context), link_code, expires_at } };
    const { link_url, created_at } = await this.bus.call(addOneTimeLink, call, errandOf(context));
    await this.#assertStill(minted, link_id, context);
    return { link_code, link_url, expires_at, created_at };
  }

  /** An ingot that was deleted meanwhile has taken its links along before this one was there. */
  async #assertStill({ ingot }: MintedLink, link_id: string, { requestId }: VaultContext): Promise<void> {
    if (await this.keys.isThere(link_id)) return;
    const { accountId: account_id, vaultId: vault_id, ingotId: ingot_id } = ingot;
    await this.links.end({ account_id, vault_id, ingot_id, link_id, reason: 'removed' }, requestId);
    throw new AppError('INGOT_NOT_FOUND');
  }
}
