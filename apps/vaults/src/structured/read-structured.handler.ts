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
    const { vault_id: vaultId, ingot_id } = params;
    const vault = { vaultId, accountId: context.credential.accountId };
    const opened = await this.access.open({ vaultId, vat: context.vault.token, level: 'read' }, context);
    try {
      const asked = valuesAsked(query);
      return asked
        ? await this.values.retrieve(vault, opened, ingot_id, asked, context)
        : await this.description.describe(vault, opened, ingot_id, context);
    } finally {
      opened.vaultKey.fill(0);
    }
  }
}

/** Throws 400 for a ttl of nothing. */
function valuesAsked({ keys, ttl }: StructuredQuery): ValuesAsked | undefined {
  if (keys !== undefined) return { keys: namesInQuery(keys), ttlSeconds: ttl ?? VALUE_SECONDS_DEFAULT };
  if (ttl === undefined) return undefined;
  throw validationError({ field: 'ttl', message: 'ttl goes with keys' });
}
