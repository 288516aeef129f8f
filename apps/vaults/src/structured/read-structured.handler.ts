import { Injectable } from '@nestjs/common';
import { validationError, type Input, type VaultContext } from '@vaultsvc/contracts';
import {
  namesInQuery,
  readStructured,
  VALUE_SECONDS_DEFAULT,
  type StructuredQuery,
  type StructuredReading,
} from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultAccess } from '../session/vault-access.js';
import { StructuredDescription } from './structured-description.js';
import { ValueRetrieval, type ValuesAsked } from './value-retrieval.js';

@Injectable()
export class ReadStructured {
  constructor(
    private readonly access: VaultAccess,
    private readonly description: StructuredDescription,
    private readonly values: ValueRetrieval,
  ) {}

  /** Names without `keys`, values with them. */
  @Handles(readStructured)
  async handle(
    { params, query }: Input<typeof readStructured>,
    context: VaultContext,
  ): Promise<StructuredReading> {
    return this.access.withOpenVault(params, context, 'read', async (vault) => {
      const asked = valuesAsked(query);
      return asked
        ? this.values.retrieve(vault, params.ingot_id, asked, context)
        : this.description.describe(vault, params.ingot_id, context);
    });
  }
}

/** Throws 400 for a ttl of nothing. */
function valuesAsked({ keys, ttl }: StructuredQuery): ValuesAsked | undefined {
  if (keys !== undefined) return { keys: namesInQuery(keys), ttlSeconds: ttl ?? VALUE_SECONDS_DEFAULT };
  if (ttl === undefined) return undefined;
  throw validationError({ field: 'ttl', message: 'ttl goes with keys' });
}
