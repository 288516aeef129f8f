import { EpochSeconds, IdOf, Int, MapOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { IngotName, IngotParams } from './ingot.js';
import { KeyNames, KeyQuery } from './key-names.js';
import { KeyCount, STRUCTURED_PATH, structuredAccess, structuredErrors, VersionField } from './structured.js';

/** How long the Sparks of a retrieval wait, unless it says so itself (STR-11). */
export const VALUE_SECONDS_DEFAULT = 900;

export class StructuredQuery {
  @KeyQuery({
    optional: true,
    description: 'Up to 100 names of keys with commas between them: asks for their values. Needed by ttl.',
  })
  keys?: string;

  @Int({
    min: 60,
    max: 86_400,
    optional: true,
    description: 'Seconds after which the Sparks expire unread; 900 unless said. Goes with keys.',
  })
  ttl?: number;
}

/** Where a value can be read, once: `GET /v1/sparks/{spark_id}` (STR-13). */
export class StructuredValue {
  @IdOf('spk') spark_id: string;
  @EpochSeconds() expires_at: number;
}

/** Without `keys` the names, with them the values: two answers of one route (STR-09, STR-12). */
export class StructuredReading {
  @IdOf('ing') ingot_id: string;
  @IngotName({ optional: true }) name?: string;
  @VersionField({ optional: true }) version?: number;
  @KeyCount({ optional: true }) key_count?: number;
  @KeyNames({
    optional: true,
    description:
      'Without ?keys=, as name, version, key_count and times: names of all keys, in the order of their code points.',
  })
  keys?: readonly string[];
  @EpochSeconds({ optional: true }) created_at?: number;
  @EpochSeconds({ optional: true }) updated_at?: number;
  @MapOf(() => StructuredValue, {
    optional: true,
    description: 'With ?keys=: a Spark for each key that is there. Only the account can read it.',
  })
  values?: Readonly<Record<string, StructuredValue>>;
  @KeyNames({ optional: true, description: 'With ?keys=: those that are not there.' })
  missing_keys?: readonly string[];
}

/**
 * Tells the names of the keys; with `keys`, mints a Spark for each of their values, all or none (STR-12). A value
 * whose text has more than 256,000 bytes fails the whole of it with 400 (STR-24). What is minted draws storage and
 * bandwidth as every Spark does.
 */
export const readStructured = operation({
  name: 'vaults.read-structured',
  summary: 'The keys of a structured ingot; with ?keys= their values, as Sparks that are read once.',
  http: { method: 'GET', path: `${STRUCTURED_PATH}/{ingot_id}`, status: 200 },
  access: structuredAccess.read,
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  query: StructuredQuery,
  reply: StructuredReading,
  errors: [...structuredErrors, 'PLAN_REQUIRED', 'QUOTA_EXCEEDED'],
});
