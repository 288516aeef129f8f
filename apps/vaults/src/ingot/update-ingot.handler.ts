import { Controller } from '@nestjs/common';
import { validationError, type Input, type VaultContext } from '@vaultsvc/contracts';
import {
  type Ingot,
  type IngotChange,
  ingotUpdated,
  updateIngot,
  vaultActionOf,
} from '@vaultsvc/contracts/vaults';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { IngotFinder } from './ingot-finder.js';
import { IngotRepository } from './ingot.repository.js';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { boundedNameKey } from '../keys/name-key.js';

/** Renames or moves an ingot; each committed change has an event (ING-34, ING-35). */
@Controller()
export class UpdateIngot {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: VaultAuthorizer,
    private readonly finder: IngotFinder,
    private readonly ingots: IngotRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(updateIngot)
  async handle({ params, body }: Input<typeof updateIngot>, context: VaultContext): Promise<Ingot> {
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    assertChange(body);
    const { ingotId } = await this.finder.find(ids, params.ingot_id);
    return this.transactions.run(ids, context.deadlineMs, async (tx) => {
      await lock(tx); // also locks the vault's row, so that the target folder cannot be deleted before the commit
      const action = { ...vaultActionOf(context, ids.vaultId), ingot_id: ingotId };
      await this.outbox.publish(tx, ingotUpdated, action, context);
      return this.ingots.change(tx, ids, ingotId, body);
    });
  }
}

/** Errors of the body precede errors of the ingot (AMB-13). */
function assertChange({ name, folder_id }: IngotChange): void {
  if (name !== undefined) boundedNameKey(name);
  else if (folder_id === undefined)
    throw validationError({ field: '', message: 'at least one of name and folder_id must be given' });
}
