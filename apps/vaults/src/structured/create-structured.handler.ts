import { Injectable } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { createStructured, type StructuredCreated } from '@vaultsvc/contracts/vaults';
import { retryOnConflict, type Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { ingotNameKey } from '../ingot/ingot-name.js';
import { VaultAccess, type OpenVault } from '../session/vault-access.js';
import { bytesOf, forget, keyValuesOf, type KeyValue } from './key-value.js';
import { StructuredChanges } from './structured-changes.js';
import { StructuredKey } from './structured-key.js';
import { StructuredUpsert, type Target } from './structured-upsert.js';
import { sealValues } from './value-sealing.js';

/** What the caller named, next to what opens its vault. */
interface Wanted {
  readonly vault: OpenVault;
  readonly name: string;
  readonly values: readonly KeyValue[];
}

@Injectable()
export class CreateStructured {
  constructor(
    private readonly access: VaultAccess,
    private readonly upserts: StructuredUpsert,
    private readonly changes: StructuredChanges,
  ) {}

  @Handles(createStructured)
  async handle(
    { params, body }: Input<typeof createStructured>,
    context: VaultContext,
  ): Promise<StructuredCreated> {
    return this.access.withOpenVault(params, context, 'write', async (vault) => {
      const { name } = body;
      ingotNameKey(name); // 400 comes before 413
      const values = keyValuesOf('data', body.data);
      try {
        return await retryOnConflict(() => this.#create({ vault, name, values }, context));
      } finally {
        forget(values);
      }
    });
  }

  async #create(wanted: Wanted, context: VaultContext): Promise<StructuredCreated> {
    const { vault, name, values } = wanted;
    const target = await this.upserts.plan(vault.ids, name, context);
    const { wrappedKey, sealed } = await sealAll(target, wanted, context);
    const [keyCount, sizeBytes] = [values.length, bytesOf(values)];
    const { ingotId } = target;
    const row = { ...vault.ids, ingotId, name, wrappedKey, keyCount, sizeBytes };
    const write = (tx: Transaction) => this.upserts.write(tx, target, row, sealed, context);
    const created_at = await this.changes.run(vault.ids, vault.lock, context, write);
    return { ingot_id: ingotId, name, version: 1, key_count: keyCount, created_at };
  }
}

/** Under a key that nothing was under before. */
async function sealAll(target: Target, { vault, values }: Wanted, { deadlineMs }: VaultContext) {
  const key = StructuredKey.draw(target);
  try {
    return { wrappedKey: key.wrap(vault.vaultKey), sealed: await sealValues(key, values, 1, deadlineMs) };
  } finally {
    key.wipe();
  }
}
