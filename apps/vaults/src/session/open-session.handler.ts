import { Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { openVaultSession, type VaultSession } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultAccess } from './vault-access.js';

@Injectable()
export class OpenVaultSession {
  constructor(private readonly access: VaultAccess) {}

  @Handles(openVaultSession)
  async handle({ body }: Input<typeof openVaultSession>, context: CallContext): Promise<VaultSession> {
    const { vault_id, vat, level } = body;
    const { terms, vaultKey } = await this.access.open({ vaultId: vault_id, vat, level }, context);
    vaultKey.fill(0);
    return { vault_id, access_level: terms.accessLevel };
  }
}
