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
import { IngotSearchRepository } from './ingot-search.repository.js';

@Controller()
export class SearchIngots {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly ingots: IngotSearchRepository,
  ) {}

  @Handles(searchIngots)
  async handle({ params, query }: Input<typeof searchIngots>, context: VaultContext): Promise<IngotPage> {
    const { vault_id: vaultId } = params;
    const vault = { vaultId, accountId: context.credential.accountId };
    await this.vaults.assertKnown(vault);
    const { rows, ...page } = await this.ingots.search(vault, query);
    return { ingots: [...rows], ...page, filters: filtersOf(query) };
  }
}

/** A page reached by a cursor has the filters that the cursor carries. */
function filtersOf({
  q,
  contains,
  folder_id,
  file_type,
  min_size,
  max_size,
}: IngotSearchQuery): IngotFilters {
  return {
    q: q ?? null,
    contains: contains ?? null,
    folder_id: folder_id ?? null,
    file_type: file_type ?? null,
    min_size: min_size ?? null,
    max_size: max_size ?? null,
  };
}
