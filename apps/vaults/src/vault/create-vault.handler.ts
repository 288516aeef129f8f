import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { type CreatedVault, createVault, vaultActionOf, vaultCreated } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintToken } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { newVaultKey, wrapByVmk, type VaultIdentity } from '../keys/vault-key.js';
import { VaultRepository } from './vault.repository.js';

const WARNING =
  'Keep this key safe: it is the only one that opens the vault. It is stored nowhere and cannot be shown or recovered again.';

@Controller()
export class CreateVault {
  constructor(
    private readonly database: Database,
    private readonly vaults: VaultRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(createVault)
  async handle({ body }: Input<typeof createVault>, context: AccountContext): Promise<CreatedVault> {
    const { accountId, userId } = context.credential;
    const vault = { accountId, vaultId: newId('vlt_') };
    const { vmk, wrappedKey } = keysOf(vault);
    const created_at = await this.database.transaction(async (tx) => {
      const row = { ...vault, name: body.name, createdByUserId: userId, wrappedKey };
      const createdAt = await this.vaults.insert(tx, row);
      await this.outbox.publish(tx, vaultCreated, vaultActionOf(context, vault.vaultId), context);
      return createdAt;
    });
    return { vault_id: vault.vaultId, name: body.name, vmk, vmk_warning: WARNING, created_at };
  }
}

/** The vault key is wiped once it is wrapped; later callers unwrap it. */
function keysOf(vault: VaultIdentity): { vmk: string; wrappedKey: Buffer } {
  const vmk = mintToken('vmk');
  const vaultKey = newVaultKey();
  try {
    return { vmk: vmk.text, wrappedKey: wrapByVmk(vmk.bytes, vault, vaultKey) };
  } finally {
    vaultKey.fill(0);
    vmk.bytes.fill(0);
  }
}
