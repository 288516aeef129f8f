import { Equals } from 'class-validator';
import { event } from '../core/event.js';
import { exampleTime } from '../core/example-values.js';
import { Example, exampleOf } from '../core/example.js';
import { field } from '../core/field.js';
import { EpochSeconds, IdOf, Int, ListOf, MapOf, TextList } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { MINT_SPARKS_MAX, SparkOwner } from '../sparks/spark.js';
import { IngotAction, IngotName, IngotParams } from './ingot.js';
import { KeyNames, KeyQuery, KeyValuesField, STRUCTURED_KEYS_MAX, type KeyValues } from './key-values.js';
import { readErrors, VaultParams, writeErrors } from './vault.js';

/** `managed_by` of structured ingots (ING-16). */
export const STRUCTURED_PRODUCT = 'structured-ingots';

/** The path of all operations on structured ingots (STR-01). */
export const STRUCTURED_PATH = '/v1/products/structured-ingots/{vault_id}';

/** Largest value in bytes: of a string its UTF-8, of other values their JSON text. Above it 413 (AMB-12). */
export const VALUE_BYTES_MAX = 1_048_576;

/** Largest body in bytes; above it 413. PATCH builds larger ingots (OPEN-06). */
export const STRUCTURED_BODY_BYTES_MAX = 7 * 1_048_576;

/** Most structural characters of a body; above it 400 (ENV-20). 10,000 keys to set and 10,000 to delete need 30,000. */
export const STRUCTURED_STRUCTURAL_CHARACTERS_MAX = 65_536;

/** A missing Vault Access Token is 400 on these routes and 401 on all others (AMB-10). */
export const structuredAccess = {
  read: { credential: 'key', vat: 'read', vatMissing: 'VALIDATION_ERROR' },
  write: { credential: 'key', vat: 'write', vatMissing: 'VALIDATION_ERROR' },
} as const;

/** Errors of operations that read one structured ingot; operations that write add VAT_READ_ONLY. */
export const structuredErrors = [
  ...readErrors,
  'INGOT_NOT_FOUND',
  'INGOT_NAME_AMBIGUOUS',
  'INGOT_NOT_STRUCTURED',
] as const;

const VersionField = (options: { optional?: boolean } = {}) =>
  Int({
    ...options,
    min: 1,
    description: 'Increases by one with each change. An overwritten ingot starts again at 1.',
  });

const KeyCount = (options: { optional?: boolean } = {}) =>
  Int({ ...options, min: 0, max: STRUCTURED_KEYS_MAX });

/** The first fields of every reply to a change. */
export class StructuredState {
  @IdOf('ing') ingot_id: string;
  @VersionField() version: number;
  @KeyCount() key_count: number;
}

/** Body of `createStructured`. */
@Example({ name: 'production', data: { db_user: 'app', db_password: 'correct horse battery staple' } })
export class NewStructured {
  @IngotName() name: string;
  @KeyValuesField({
    description:
      'At most 10,000 keys. A key name has 1 to 256 characters and no comma. A value is any JSON of at most 1,048,576 bytes.',
  })
  data: KeyValues;
}

/** A created or overwritten structured ingot. */
@Example({ name: 'production' })
export class StructuredCreated extends StructuredState {
  @IngotName() name: string;
  @EpochSeconds() created_at: number;
}

/**
 * Stores keys and values; each value is encrypted separately. If a structured ingot of the vault has the name, in
 * whichever folder, it is overwritten (STR-06, AMB-43): it keeps its id and starts again at version 1. Draws the bytes
 * of the values from bandwidth, and the added bytes from storage.
 */
export const createStructured = operation({
  name: 'vaults.create-structured',
  summary: 'Creates a structured ingot, or overwrites all keys of the one with this name.',
  http: { method: 'POST', path: STRUCTURED_PATH, status: 201 },
  idempotent: { id: 'ingot_id' },
  access: structuredAccess.write,
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  bodyBytesMax: STRUCTURED_BODY_BYTES_MAX,
  structuralCharactersMax: STRUCTURED_STRUCTURAL_CHARACTERS_MAX,
  body: NewStructured,
  reply: StructuredCreated,
  errors: [...writeErrors, 'INGOT_NAME_TAKEN', 'INGOT_NAME_AMBIGUOUS'],
});

/** Query of `listStructured`. */
export class StructuredListQuery {
  @Int({
    min: 1,
    max: 500,
    optional: true,
    description: 'Number of ingots of all kinds to examine. The reply may contain fewer, or none.',
  })
  limit = 100;
}

function NullInLists(): PropertyDecorator {
  const schema = { type: 'null', description: 'Always null in lists; read the ingot for its value.' };
  return field(schema, {}, [Equals(null)]);
}

/** A structured ingot as lists show it. */
@Example({ name: 'production' })
export class StructuredSummary {
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @NullInLists() version: null;
  @NullInLists() key_count: null;
  @EpochSeconds() created_at: number;
  @EpochSeconds() updated_at: number;
}

/** A list of structured ingots. */
export class StructuredList {
  @ListOf(() => StructuredSummary) ingots: StructuredSummary[];
  @Int({ min: 0, description: 'Ingots in this reply.' }) count: number;
}

/** Lists the structured ones among the first `limit` ingots of the vault, oldest first; there is no cursor (STR-07). */
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

/** Default lifetime, in seconds, of the Sparks of a retrieval (STR-11). */
export const VALUE_SECONDS_DEFAULT = 900;

/** Query of `readStructured`. */
@Example({ keys: 'db_password' })
export class StructuredQuery {
  @KeyQuery({
    optional: true,
    description: 'Up to 100 key names, separated by commas, whose values are returned. Required with ttl.',
  })
  keys?: string;

  @Int({
    min: 60,
    max: 86_400,
    optional: true,
    description: 'Lifetime of the unread Sparks in seconds; 900 if absent. Only with keys.',
  })
  ttl?: number;
}

/** A Spark that holds a value; `GET /v1/sparks/{spark_id}` reads it once (STR-13). */
@Example({ expires_at: exampleTime(VALUE_SECONDS_DEFAULT) })
export class StructuredValue {
  @IdOf('spk') spark_id: string;
  @EpochSeconds() expires_at: number;
}

/** Without `keys` the key names, with `keys` their values: two replies of one route (STR-09, STR-12). */
@Example({ values: { db_password: exampleOf(StructuredValue) }, missing_keys: [] })
export class StructuredReading {
  @IdOf('ing') ingot_id: string;
  @IngotName({ optional: true }) name?: string;
  @VersionField({ optional: true }) version?: number;
  @KeyCount({ optional: true }) key_count?: number;
  @KeyNames({
    optional: true,
    description:
      'Without ?keys=, together with name, version, key_count and times: all key names in the order of their code points.',
  })
  keys?: readonly string[];
  @EpochSeconds({ optional: true }) created_at?: number;
  @EpochSeconds({ optional: true }) updated_at?: number;
  @MapOf(() => StructuredValue, {
    optional: true,
    description: 'With ?keys=: a Spark for each key found. Only this account can read it.',
  })
  values?: Readonly<Record<string, StructuredValue>>;
  @KeyNames({ optional: true, description: 'With ?keys=: the names of keys that do not exist.' })
  missing_keys?: readonly string[];
}

/**
 * Returns the key names; with `keys`, mints a Spark for each of their values, all or none (STR-12). A value of more than
 * 256,000 bytes of text fails the whole request with 400 (STR-24). The Sparks draw storage and bandwidth as any other.
 */
export const readStructured = operation({
  name: 'vaults.read-structured',
  summary:
    'Reads the key names of a structured ingot; with ?keys= their values, as Sparks that are read once.',
  http: { method: 'GET', path: `${STRUCTURED_PATH}/{ingot_id}`, status: 200 },
  access: structuredAccess.read,
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  query: StructuredQuery,
  reply: StructuredReading,
  errors: [...structuredErrors, 'PLAN_REQUIRED', 'QUOTA_EXCEEDED'],
});

/** Body of `updateStructured`. */
@Example({ set: { db_password: 'correct horse battery staple' } })
export class StructuredChange {
  @KeyValuesField({ optional: true, description: 'Keys to add or overwrite, with their values.' })
  set?: KeyValues;
  @KeyNames({ optional: true, description: 'Names of keys to remove. Unknown names are ignored.' })
  delete?: string[];
}

/** A changed structured ingot. */
@Example({ version: 2 })
export class StructuredUpdated extends StructuredState {
  @EpochSeconds() updated_at: number;
}

/**
 * Changes single keys atomically (STR-14). Of two overlapping calls one succeeds; the other is refused with
 * STRUCTURED_OVERTAKEN, has changed nothing and may be retried (STR-16). Draws the bytes of the set values from
 * bandwidth, and the added bytes from storage.
 */
export const updateStructured = operation({
  name: 'vaults.update-structured',
  summary: 'Sets and removes keys of a structured ingot, all of them or none.',
  http: { method: 'PATCH', path: `${STRUCTURED_PATH}/{ingot_id}`, status: 200 },
  access: structuredAccess.write,
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  bodyBytesMax: STRUCTURED_BODY_BYTES_MAX,
  structuralCharactersMax: STRUCTURED_STRUCTURAL_CHARACTERS_MAX,
  body: StructuredChange,
  reply: StructuredUpdated,
  errors: [...structuredErrors, 'VAT_READ_ONLY', 'STRUCTURED_OVERTAKEN'],
});

/** Deletes the ingot with its key: unreadable when the reply arrives. Sparks that were minted from it stay. */
export const deleteStructured = operation({
  name: 'vaults.delete-structured',
  summary: 'Deletes a structured ingot with all of its keys.',
  http: { method: 'DELETE', path: `${STRUCTURED_PATH}/{ingot_id}`, status: 204 },
  access: structuredAccess.write,
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: [...structuredErrors, 'VAT_READ_ONLY'],
});

/** Payload of changes of a structured ingot. Bytes are those of the JSON texts of its values. */
export class StructuredWrite extends IngotAction {
  @Int({ min: 1 }) version: number;
  @Int({ min: 0 }) key_count: number;
  @Int({ description: 'Change of the stored bytes; negative if fewer are stored.' })
  stored_bytes: number;
  @Int({ min: 0, description: 'Bytes of the received values.' }) written_bytes: number;
}

/** Payload of `structuredDeleted`. */
export class StructuredDeletion extends IngotAction {
  @Int({ min: 0, description: 'Bytes that the ingot stored.' }) size_bytes: number;
}

/** Payload of `structuredRemoved`. It has no actor: the ingot was deleted with its vault. */
export class StructuredRemoval {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Int({ min: 0 }) size_bytes: number;
}

/** Payload of `structuredRetrieved`. */
export class StructuredRetrieval extends IngotAction {
  @Int({ min: 0, description: 'Number of values returned as Sparks.' }) value_count: number;
}

/** Payload of `sparksUnclaimed`: Sparks of a failed retrieval, whose ids no caller received. */
export class UnclaimedSparks extends SparkOwner {
  @TextList({ maxItems: MINT_SPARKS_MAX, max: 40 }) spark_ids: string[];
}

export const structuredCreated = event({
  name: 'vaults.structured-created',
  payload: StructuredWrite,
  consumers: ['reporting'],
});
/** All keys were replaced; the version is 1 again. */
export const structuredOverwritten = event({
  name: 'vaults.structured-overwritten',
  payload: StructuredWrite,
  consumers: ['reporting'],
});
export const structuredUpdated = event({
  name: 'vaults.structured-updated',
  payload: StructuredWrite,
  consumers: ['reporting'],
});
export const structuredDeleted = event({
  name: 'vaults.structured-deleted',
  payload: StructuredDeletion,
  consumers: ['reporting'],
});
export const structuredRemoved = event({
  name: 'vaults.structured-removed',
  payload: StructuredRemoval,
  consumers: ['reporting'],
});
/** Values were returned as Sparks. Reporting counts their bytes from the events of the Sparks. */
export const structuredRetrieved = event({
  name: 'vaults.structured-retrieved',
  payload: StructuredRetrieval,
  consumers: ['reporting'],
});
/** Sparks deletes the listed Sparks that exist and are unread, and ignores the others. */
export const sparksUnclaimed = event({
  name: 'vaults.sparks-unclaimed',
  payload: UnclaimedSparks,
  consumers: ['sparks'],
});
