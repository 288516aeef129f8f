import { Controller } from '@nestjs/common';
import { assertPoolsAvailable, type Input, type VaultContext } from '@vaultsvc/contracts';
import { updateStructured, type StructuredUpdated } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import type { VaultIdentity } from '../keys/vault-key.js';
import { VaultAuthorizer, type OpenVault } from '../session/vault-authorizer.js';
import { keyChangeOf, wipeValues, type KeyChange } from './key-value.js';
import { StructuredFinder, type FoundStructured } from './structured-finder.js';
import { StructuredKey } from './structured-key.js';
import { StructuredTransactions } from './structured-transactions.js';
import { StructuredWriter, type SealedChange } from './structured-writer.js';
import { blindsOf, sealValues } from './value-sealing.js';

@Controller()
export class UpdateStructured {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly finder: StructuredFinder,
    private readonly transactions: StructuredTransactions,
    private readonly writer: StructuredWriter,
  ) {}

  @Handles(updateStructured)
  async handle(
    { params, body }: Input<typeof updateStructured>,
    context: VaultContext,
  ): Promise<StructuredUpdated> {
    return this.access.withOpenVault(params, context, 'write', async (vault) => {
      const change = keyChangeOf(body);
      try {
        return await this.#update(vault, params.ingot_id, change, context);
      } finally {
        wipeValues(change.set);
      }
    });
  }

  /** Changes the version that it finds or fails: whether to retry is the caller's decision (STR-16). */
  async #update(
    { ids, vaultKey, lock }: OpenVault,
    reference: string,
    change: KeyChange,
    context: VaultContext,
  ): Promise<StructuredUpdated> {
    const found = await this.finder.find(ids, reference);
    if (change.set.length > 0) assertPoolsAvailable(context, 'storage', 'bandwidth');
    const sealed = await sealChange(ids, vaultKey, found, change, context);
    const ingot = { ...ids, ingotId: found.ingotId };
    return this.transactions.runExclusive(ingot, lock, context, (tx) =>
      this.writer.update(tx, ids, found, sealed, context),
    );
  }
}

async function sealChange(
  vault: VaultIdentity,
  vaultKey: Buffer,
  { ingotId, version, wrappedKey }: FoundStructured,
  { set, removed }: KeyChange,
  { deadlineMs }: VaultContext,
): Promise<SealedChange> {
  const key = StructuredKey.open(vaultKey, { ...vault, ingotId }, wrappedKey);
  try {
    return {
      set: await sealValues(key, set, version + 1, deadlineMs),
      removed: await blindsOf(key, removed, deadlineMs),
    };
  } finally {
    key.wipe();
  }
}
