import { Equals } from 'class-validator';
import { field } from '../core/field.js';
import { EpochSeconds, IdOf, Int, ListOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { IngotName } from './ingot.js';
import { STRUCTURED_PATH, structuredAccess } from './structured.js';
import { VaultParams, readErrors } from './vault.js';

export class StructuredListQuery {
  @Int({
    min: 1,
    max: 500,
    optional: true,
    description: 'Ingots of all kinds that are looked at; the answer may hold fewer, even none.',
  })
  limit = 100;
}

export class StructuredSummary {
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @NullInLists() version: null;
  @NullInLists() key_count: null;
  @EpochSeconds() created_at: number;
  @EpochSeconds() updated_at: number;
}

export class StructuredList {
  @ListOf(() => StructuredSummary) ingots: StructuredSummary[];
  @Int({ min: 0, description: 'Ingots in this answer.' }) count: number;
}

function NullInLists(): PropertyDecorator {
  const schema = { type: 'null', description: 'null in lists: ask for the one ingot.' };
  return field(schema, {}, [Equals(null)]);
}

/** The structured ones among the first `limit` ingots of the vault, oldest first; there is no cursor (STR-07). */
export const listStructured = operation({
  name: 'vaults.list-structured',
  summary: 'Lists the structured ingots among the first ingots of a vault.',
  http: { method: 'GET', path: STRUCTURED_PATH, status: 200 },
  access: structuredAccess.read,
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  query: StructuredListQuery,
  reply: StructuredList,
  errors: readErrors,
  repeatable: true,
});
