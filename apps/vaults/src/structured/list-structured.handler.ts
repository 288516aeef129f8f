import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { listStructured, type StructuredList } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from '../vault/vault.repository.js';
import { StructuredRepository } from './structured.repository.js';

@Controller()
export class ListStructured {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly rows: StructuredRepository,
  ) {}

  @Handles(listStructured)
  async handle(
    { params, query }: Input<typeof listStructured>,
    context: VaultContext,
  ): Promise<StructuredList> {
    const { vault_id: vaultId } = params;
    await this.vaults.assertKnown({ vaultId, accountId: context.credential.accountId });
    const ingots = await this.rows.list(vaultId, query.limit);
    return { ingots, count: ingots.length };
  }
}
