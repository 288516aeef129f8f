import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { AppError, type Input, type VaultContext } from '@vaultsvc/contracts';
import { addOneTimeLink } from '@vaultsvc/contracts/sparks';
import { createIngotLink, type CreatedIngotLink } from '@vaultsvc/contracts/vaults';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { Bus, Handles } from '@vaultsvc/messaging';
import { retryOnConflict } from '@vaultsvc/database';
import { VaultAccess, type OpenVault } from '../session/vault-access.js';
import { linkActionOf, serviceContextOf } from '../sharing/share-link-client.js';
import { LinkKeyCreator, type CreatedLink } from './link-key-creator.js';
import { LinkKeyRepository } from './link-key.repository.js';
import { LinkRevoker } from './link-revoker.js';

@Controller()
export class CreateIngotLink {
  constructor(
    private readonly access: VaultAccess,
    private readonly creator: LinkKeyCreator,
    private readonly keys: LinkKeyRepository,
    private readonly links: LinkRevoker,
    private readonly bus: Bus,
  ) {}

  @Handles(createIngotLink)
  async handle(input: Input<typeof createIngotLink>, context: VaultContext): Promise<CreatedIngotLink> {
    return this.access.withOpenVault(input.params, context, 'write', (vault) =>
      this.#create(vault, input, context),
    );
  }

  /** Creates the key first, so that every listed link can be opened. */
  async #create(
    vault: OpenVault,
    { params, body }: Input<typeof createIngotLink>,
    context: VaultContext,
  ): Promise<CreatedIngotLink> {
    const [link_id, link_code] = [randomUUID(), mintLinkCode()];
    const link = { link_id, link_code, ttlSeconds: body.expires_in_seconds };
    // The content may be replaced at the same moment: the link then opens either the old or the new one.
    const created = await retryOnConflict(() => this.creator.create(vault, params.ingot_id, link, context));
    const { ingot, expires_at } = created;
    const call = { body: { ...linkActionOf(ingot, link_id, context), link_code, expires_at } };
    const { link_url, created_at } = await this.bus.call(addOneTimeLink, call, serviceContextOf(context));
    await this.#assertKeyExists(created, link_id, context);
    return { link_code, link_url, expires_at, created_at };
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
