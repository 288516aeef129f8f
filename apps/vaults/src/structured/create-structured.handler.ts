import { Controller } from '@nestjs/common';
import { assertPoolsAvailable, type Input, type VaultContext } from '@vaultsvc/contracts';
import { createStructured, type StructuredCreated } from '@vaultsvc/contracts/vaults';
import { retryOnConflict } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { VaultAuthorizer, type OpenVault } from '../session/vault-authorizer.js';
import { boundedNameKey } from '../keys/name-key.js';
import { bytesOf, keyValuesOf, wipeValues, type KeyValue } from './key-value.js';
import { StructuredKey } from './structured-key.js';
import { StructuredTransactions } from './structured-transactions.js';
import { StructuredWriter, type Target } from './structured-writer.js';
import { sealValues } from './value-sealing.js';

@Controller()
export class CreateStructured {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly writer: StructuredWriter,
    private readonly transactions: StructuredTransactions,
  ) {}

  @Handles(createStructured)
  async handle(
    { params, body }: Input<typeof createStructured>,
    context: VaultContext,
  ): Promise<StructuredCreated> {
    return this.access.withOpenVault(params, context, 'write', async (vault) => {
      boundedNameKey(body.name); // 400 comes before 413
      const values = keyValuesOf('data', body.data);
      try {
        return await retryOnConflict(() => this.#upsert(vault, body.name, values, context));
      } finally {
        wipeValues(values);
      }
    });
  }

  async #upsert(
    vault: OpenVault,
    name: string,
    values: readonly KeyValue[],
    context: VaultContext,
  ): Promise<StructuredCreated> {
    const target = await this.writer.findTarget(vault.ids, name);
    assertPoolsAvailable(context, 'storage', 'bandwidth');
    const { wrappedKey, sealed } = await sealAll(target, vault.vaultKey, values, context);
    const [keyCount, sizeBytes] = [values.length, bytesOf(values)];
    const { ingotId } = target;
    const row = { ...vault.ids, ingotId, name, wrappedKey, keyCount, sizeBytes };
    const created_at = await this.transactions.run(vault.ids, vault.lock, context, (tx) =>
      this.writer.upsert(tx, target, row, sealed, context),
    );
    return { ingot_id: ingotId, name, version: 1, key_count: keyCount, created_at };
  }
}

/** Seals all values with a new key. */
async function sealAll(
  target: Target,
  vaultKey: Buffer,
  values: readonly KeyValue[],
  { deadlineMs }: VaultContext,
) {
  const key = StructuredKey.generate(target);
  try {
    return { wrappedKey: key.wrap(vaultKey), sealed: await sealValues(key, values, 1, deadlineMs) };
  } finally {
    key.wipe();
  }
}
