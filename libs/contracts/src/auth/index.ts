export { ApiKey, ApiKeyParams, apiKeyStatuses, type ApiKeyStatus } from './api-key.js';
export { CreatedApiKey, createApiKey, NewApiKey } from './create-api-key.js';
export {
  AccountCreated,
  accountCreated,
  ApiKeyChanged,
  apiKeyCreated,
  apiKeyRevoked,
  UserAdded,
  userAdded,
} from './events.js';
export { ApiKeyPage, ApiKeyQuery, listApiKeys } from './list-api-keys.js';
export { listSigningKeys, SigningKeys } from './list-signing-keys.js';
export { Jwk, JwkSet, readJwks } from './read-jwks.js';
export { CredentialReference, ResolvedCredential, resolveCredential } from './resolve-credential.js';
export { RevokedApiKey, revokeApiKey } from './revoke-api-key.js';
