import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { onlyCandidate, type FoundIngot } from './ingot-candidates.js';

/** Ingots by what callers write for them: an id, or a colon and a name (ING-25). */
@Injectable()
export class IngotFinder {
  constructor(private readonly database: Database) {}

  /**
   * The one ingot of this vault that a reference means. Throws INGOT_NOT_FOUND for whatever is not there for the
   * account, INGOT_NAME_AMBIGUOUS with at most 100 candidates when several folders hold the name (ING-26), and
   * INGOT_MANAGED (AMB-56).
   */
  async find(vault: VaultIdentity, reference: string, on: Queryable = this.database): Promise<FoundIngot> {
    const { managedBy, ...ingot } = await onlyCandidate(vault, reference, on);
    if (managedBy !== null) throw new AppError('INGOT_MANAGED');
    return ingot;
  }
}
