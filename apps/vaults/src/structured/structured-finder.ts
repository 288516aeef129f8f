import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { STRUCTURED_PRODUCT } from '@vaultsvc/contracts/vaults';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { onlyCandidate } from '../ingot/ingot-finder.js';
import type { VaultIdentity } from '../keys/vault-key.js';

/** A structured ingot at one moment, from one statement. */
export interface FoundStructured {
  readonly ingotId: string;
  readonly version: number;
  readonly keyCount: number;
  /** Its key under the vault key. A different one means that the ingot was overwritten, whatever its version. */
  readonly wrappedKey: Buffer;
  /** Sum of its values. */
  readonly sizeBytes: number;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** Finds structured ingots by the reference in a request: an id, or a colon and a name (STR-23). */
@Injectable()
export class StructuredFinder {
  constructor(private readonly database: Database) {}

  /**
   * Throws INGOT_NOT_FOUND when the account has no such ingot (STR-22), INGOT_NAME_AMBIGUOUS when several ingots of the
   * vault, of any kind, have the name, and INGOT_NOT_STRUCTURED (STR-21).
   */
  async find(vault: VaultIdentity, reference: string): Promise<FoundStructured> {
    const { ingotId, managedBy } = await onlyCandidate(vault, reference, this.database);
    if (managedBy !== STRUCTURED_PRODUCT) throw new AppError('INGOT_NOT_STRUCTURED');
    const values = [ingotId, vault.vaultId, vault.accountId];
    const [found] = await this.database.query<FoundStructured>(findStructured, values);
    if (!found) throw new AppError('INGOT_NOT_FOUND');
    return found;
  }
}

const findStructured = statement(
  'vaults.find-structured',
  `SELECT i.id AS "ingotId", s.version, s.key_count AS "keyCount", s.wrapped_key AS "wrappedKey",
          i.size_bytes AS "sizeBytes", ${epochSeconds('i.created_at', 'createdAt')}
     FROM structured_ingots s JOIN ingots i ON i.id = s.ingot_id
    WHERE s.ingot_id = $1 AND s.vault_id = $2 AND s.account_id = $3`,
);
