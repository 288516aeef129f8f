import { Injectable } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { createStructured, type StructuredCreated } from '@vaultsvc/contracts/vaults';
import { retryOnConflict, type Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { ingotNameKey } from '../ingot/ingot-name.js';
import { WriteAccess, type WritableVault } from '../ingot/write-access.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { bytesOf, forget, keyValuesOf, type KeyValue } from './key-value.js';
import { StructuredChanges } from './structured-changes.js';
import { StructuredKey } from './structured-key.js';
import { StructuredUpsert, type Target } from './structured-upsert.js';
import { sealValues } from './value-sealing.js';

/** What the caller named, next to what opens its vault. */
interface Wanted extends WritableVault {
  readonly vault: VaultIdentity;
  readonly name: string;
  readonly values: readonly KeyValue[];
}

@Injectable()
export class CreateStructured {
  constructor(
    private readonly access: WriteAccess,
    private readonly upserts: StructuredUpsert,
    private readonly changes: StructuredChanges,
  ) {}

  @Handles(createStructured)
  async handle(
    { params, body }: Input<typeof createStructured>,
    context: VaultContext,
  ): Promise<StructuredCreated> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    const opened = await this.access.open(vault, context);
    const { name } = body;
    let values: readonly KeyValue[] = [];
    try {
      ingotNameKey(name); // 400 comes before 413
      values = keyValuesOf('data', body.data);
      return await retryOnConflict(() => this.#create({ ...opened, vault, name, values }, context));
    } finally {
      opened.vaultKey.fill(0);
      forget(values);
    }
  }

  async #create(wanted: Wanted, context: VaultContext): Promise<StructuredCreated> {
    const { vault, name, values, hold } = wanted;
    const target = await this.upserts.plan(vault, name, context);
    const { wrappedKey, sealed } = await sealAll(target, wanted, context);
    const [keyCount, sizeBytes] = [values.length, bytesOf(values)];
    const { ingotId } = target;
    const row = { ...vault, ingotId, name, wrappedKey, keyCount, sizeBytes };
    const write = (tx: Transaction) => this.upserts.write(tx, target, row, sealed, context);
    const created_at = await this.changes.run(vault, hold, context, write);
    return { ingot_id: ingotId, name, version: 1, key_count: keyCount, created_at };
  }
}

/** Under a key that nothing was under before. */
async function sealAll(target: Target, { vaultKey, values }: Wanted, { deadlineMs }: VaultContext) {
  const key = StructuredKey.draw(target);
  try {
    return { wrappedKey: key.wrap(vaultKey), sealed: await sealValues(key, values, 1, deadlineMs) };
  } finally {
    key.wipe();
  }
}
