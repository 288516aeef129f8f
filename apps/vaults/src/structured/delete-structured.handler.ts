import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { deleteStructured, structuredDeleted, vaultActionOf } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import { StructuredFinder } from './structured-finder.js';
import type { StructuredIdentity } from './structured-key.js';
import { StructuredTransactions } from './structured-transactions.js';
import { StructuredValueRepository } from './structured-value.repository.js';
import { StructuredRepository } from './structured.repository.js';

@Controller()
export class DeleteStructured {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly finder: StructuredFinder,
    private readonly transactions: StructuredTransactions,
    private readonly rows: StructuredRepository,
    private readonly values: StructuredValueRepository,
    private readonly counters: VaultCounters,
    private readonly outbox: Outbox,
  ) {}

  @Handles(deleteStructured)
  async handle({ params }: Input<typeof deleteStructured>, context: VaultContext): Promise<void> {
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    const { ingotId } = await this.finder.find(ids, params.ingot_id);
    await this.transactions.run(ids, lock, context, (tx) => this.#delete(tx, { ...ids, ingotId }, context));
  }

  async #delete(tx: Transaction, ingot: StructuredIdentity, context: VaultContext): Promise<void> {
    const { vaultId, ingotId } = ingot;
    const size_bytes = await this.rows.delete(tx, ingot, ingotId);
    await this.values.removeAll(tx, ingot);
    await this.counters.addContent(tx, vaultId, -1, -size_bytes);
    const payload = { ...vaultActionOf(context, vaultId), ingot_id: ingotId, size_bytes };
    await this.outbox.publish(tx, structuredDeleted, payload, context);
  }
}
