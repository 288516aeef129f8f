export * from './core/actor.js';
export * from './core/actor-fields.js';
export * from './core/access.js';
export * from './core/context.js';
export { decode, decodeQuery, instantiate, project } from './core/decode.js';
export * from './core/errors.js';
export * from './core/event.js';
export { Example, exampleOf } from './core/example.js';
export * from './core/fields.js';
export { assertPoolsAvailable, quotaExceeded } from './core/pools.js';
export * from './core/service-operations.js';
export { hostNameOf } from './core/host-name.js';
export * from './core/identity.js';
export * from './core/ids.js';
export { listAt, parseObject, textAt } from './core/json-values.js';
export { MEDIA_TYPE } from './core/media-type.js';
export { NearNames } from './core/near-names.js';
export * from './core/operation.js';
export { providerHeaders, type Provider } from './core/provider.js';
export * from './core/provider-context.js';
export { assertAdmin, assertFullSeat } from './core/roles.js';
export { EVERY_SHARD, isSharded } from './core/shards.js';
export { signal, signalSubject, type Signal } from './core/signal.js';
export { assertSpelling, undeclaredNames, type UndeclaredNames } from './core/undeclared-names.js';
export { unknownVaultReason, vaultOfCall } from './core/vault-of-call.js';
export { assertStructure, STRUCTURAL_CHARACTERS_MAX } from './core/structural-characters.js';
export {
  Closed,
  fieldsOf,
  isClosed,
  schemaOf,
  type Class,
  type Field,
  type JsonSchema,
  type SchemaReference,
} from './core/schema.js';
