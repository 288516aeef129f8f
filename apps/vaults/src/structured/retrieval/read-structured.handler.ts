import { Controller } from '@nestjs/common';
import { validationError, type Input, type VaultContext } from '@vaultsvc/contracts';
import {
  namesInQuery,
  readStructured,
  VALUE_SECONDS_DEFAULT,
  type StructuredQuery,
  type StructuredReading,
} from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultAuthorizer } from '../../session/vault-authorizer.js';
import { StructuredDescriber } from '../structured-describer.js';
import { ValueRetriever, type RequestedValues } from './value-retriever.js';

@Controller()
export class ReadStructured {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly describer: StructuredDescriber,
    private readonly retriever: ValueRetriever,
  ) {}

  /** The names of all keys; the values of the requested ones with `keys`. */
  @Handles(readStructured)
  async handle(
    { params, query }: Input<typeof readStructured>,
    context: VaultContext,
  ): Promise<StructuredReading> {
    return this.access.withOpenVault(params, context, 'read', async (vault) => {
      const requested = requestedValues(query);
      return requested
        ? this.retriever.retrieve(vault, params.ingot_id, requested, context)
        : this.describer.describe(vault, params.ingot_id, context);
    });
  }
}

/** Throws 400 for `ttl` without `keys`. */
function requestedValues({ keys, ttl }: StructuredQuery): RequestedValues | undefined {
  if (keys !== undefined) return { keys: namesInQuery(keys), ttlSeconds: ttl ?? VALUE_SECONDS_DEFAULT };
  if (ttl === undefined) return undefined;
  throw validationError({ field: 'ttl', message: 'ttl requires keys' });
}
