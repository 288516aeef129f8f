import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { openVaultSession, type VaultSession } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultAuthorizer } from './vault-authorizer.js';

@Controller()
export class OpenVaultSession {
  constructor(private readonly access: VaultAuthorizer) {}

  @Handles(openVaultSession)
  async handle({ body }: Input<typeof openVaultSession>, context: CallContext): Promise<VaultSession> {
    const { vault_id, vat, level } = body;
    const { accessLevel } = await this.access.verify({ vaultId: vault_id, vat, level }, context);
    return { vault_id, access_level: accessLevel };
  }
}
