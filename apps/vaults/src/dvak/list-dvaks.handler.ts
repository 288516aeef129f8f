import { Controller } from '@nestjs/common';
import { type AccountContext, assertAdmin, type Input } from '@vaultsvc/contracts';
import { listDvaks, type DvakPage } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from '../vault/vault.repository.js';
import { DvakRepository } from './dvak.repository.js';

@Controller()
export class ListDvaks {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly dvaks: DvakRepository,
  ) {}

  @Handles(listDvaks)
  async handle({ params, query }: Input<typeof listDvaks>, context: AccountContext): Promise<DvakPage> {
    assertAdmin(context);
    const { vault_id: vaultId } = params;
    await this.vaults.assertKnown({ vaultId, accountId: context.credential.accountId });
    const { rows, has_more, next_cursor } = await this.dvaks.list(vaultId, query);
    return { dvaks: [...rows], has_more, cursor: next_cursor ?? null };
  }
}
