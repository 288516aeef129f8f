import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { identifyIngot, type IdentifiedIngot } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { onlyCandidate } from './ingot-finder.js';

@Controller()
export class IdentifyIngot {
  constructor(private readonly database: Database) {}

  @Handles(identifyIngot)
  async handle({ body }: Input<typeof identifyIngot>): Promise<IdentifiedIngot> {
    const vault = { vaultId: body.vault_id, accountId: body.account_id };
    const { ingotId } = await onlyCandidate(vault, body.reference, this.database);
    return { ingot_id: ingotId };
  }
}
