import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import {
  searchIngots,
  type IngotFilters,
  type IngotPage,
  type IngotSearchQuery,
} from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from '../vault/vault.repository.js';
import { IngotRepository } from './ingot.repository.js';

@Controller()
export class SearchIngots {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly ingots: IngotRepository,
  ) {}

  @Handles(searchIngots)
  async handle({ params, query }: Input<typeof searchIngots>, context: VaultContext): Promise<IngotPage> {
    const { vault_id: vaultId } = params;
    await this.vaults.assertKnown({ vaultId, accountId: context.credential.accountId });
    const { rows, ...page } = await this.ingots.search(vaultId, query);
    return { ingots: [...rows], ...page, filters: filtersOf(query) };
  }
}

/** A page reached by a cursor has the filters that the cursor carries. */
function filtersOf({ q, file_type, min_size, max_size }: IngotSearchQuery): IngotFilters {
  return {
    q: q ?? null,
    file_type: file_type ?? null,
    min_size: min_size ?? null,
    max_size: max_size ?? null,
  };
}
