import { Injectable } from '@nestjs/common';
import { AppError, type VaultContext } from '@vaultsvc/contracts';
import type { StructuredReading } from '@vaultsvc/contracts/vaults';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { OpenVault } from '../session/vault-access.js';

/** Which values are asked for, and how long their Sparks may wait to be read. */
export interface ValuesAsked {
  /** Each once, in the order in which they were named. */
  readonly keys: readonly string[];
  readonly ttlSeconds: number;
}

/** The values of a structured ingot, as Sparks. */
@Injectable()
export class ValueRetrieval {
  async retrieve(
    _vault: VaultIdentity,
    _opened: OpenVault,
    _reference: string,
    _asked: ValuesAsked,
    _context: VaultContext,
  ): Promise<Pick<StructuredReading, 'ingot_id' | 'values' | 'missing_keys'>> {
    throw new AppError('INTERNAL_ERROR');
  }
}
