import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { createIngotLink, type CreatedIngotLink } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { OneTimeLinkCreator } from './one-time-link-creator.js';

@Controller()
export class CreateIngotLink {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly creator: OneTimeLinkCreator,
  ) {}

  @Handles(createIngotLink)
  async handle(
    { params, body }: Input<typeof createIngotLink>,
    context: VaultContext,
  ): Promise<CreatedIngotLink> {
    const link = { link_id: randomUUID(), ttlSeconds: body.expires_in_seconds };
    return this.access.withOpenVault(params, context, 'write', (vault) =>
      this.creator.create(vault, params.ingot_id, link, context),
    );
  }
}
