import { Example } from '../core/example.js';
import { Flag, Int, Nested, Text, TextList } from '../core/fields.js';
import { BODY_BYTES_MAX, operation } from '../core/operation.js';
import { RECIPIENTS_MAX } from '../notify/recipient.js';
import { SPARK_PAYLOAD_BYTES_MAX } from '../sparks/spark.js';
import { FOLDER_LEVELS_MAX, FOLDER_NAME_MAX } from '../vaults/folder.js';
import { INGOT_NAME_MAX } from '../vaults/ingot.js';
import { KEY_NAME_MAX, RETRIEVED_KEYS_MAX, STRUCTURED_KEYS_MAX } from '../vaults/key-values.js';
import { STRUCTURED_BODY_BYTES_MAX, VALUE_BYTES_MAX } from '../vaults/structured-ingot.js';
import { INGOT_BYTES_MAX } from '../vaults/upload.js';
import { VAT_SECONDS_MAX } from '../vaults/vault-session.js';
import { VAULT_NAME_MAX } from '../vaults/vault.js';

/** Bytes of every chunk of an upload but the last (FRG-11). */
export const CHUNK_BYTES = 52_428_800;

/** The limits that the contracts set; they are equal in every deployment of a release. */
export const contractLimits = {
  body_bytes: BODY_BYTES_MAX,
  structured_body_bytes: STRUCTURED_BODY_BYTES_MAX,
  spark_payload_bytes: SPARK_PAYLOAD_BYTES_MAX,
  spark_ttl_minutes: 1_440,
  vat_ttl_seconds: VAT_SECONDS_MAX,
  page_size: 100,
  page_size_max: 500,
  vault_name_characters: VAULT_NAME_MAX,
  ingot_name_characters: INGOT_NAME_MAX,
  folder_name_characters: FOLDER_NAME_MAX,
  folder_levels: FOLDER_LEVELS_MAX,
  ingot_size_bytes: INGOT_BYTES_MAX,
  chunk_size_bytes: CHUNK_BYTES,
  structured_keys: STRUCTURED_KEYS_MAX,
  structured_key_characters: KEY_NAME_MAX,
  structured_value_bytes: VALUE_BYTES_MAX,
  retrieved_keys: RETRIEVED_KEYS_MAX,
  recipients: RECIPIENTS_MAX,
} as const;

/** The public origins of a deployment. */
@Example({
  api: 'https://api.example.com',
  forge: 'https://forge.example.com',
  links: 'https://link.example.com',
  files: 'https://files.example.com',
})
export class PublicOrigins {
  @Text({ max: 2_048, description: 'The API. Credentials are sent to it and to forge only.' }) api: string;
  @Text({ max: 2_048, description: 'Uploads and downloads.' }) forge: string;
  @Text({ max: 2_048, description: 'Links of Sparks.' }) links: string;
  @Text({ max: 2_048, description: 'Links of files.' }) files: string;
}

/** Limits of requests. A request above one is refused with 400, 413 or 429. */
@Example({ calls_per_minute: 300, calls_per_minute_without_account: 600, ...contractLimits })
export class PublicLimits {
  @Int({ min: 1, description: 'Calls of one account.' }) calls_per_minute: number;
  @Int({ min: 1, description: 'Calls without an account from one address.' })
  calls_per_minute_without_account: number;
  @Int({ min: 1, description: 'Bytes of a request body, unless its operation says otherwise.' })
  body_bytes: number;
  @Int({ min: 1, description: 'Bytes of a request body with values of structured ingots.' })
  structured_body_bytes: number;
  @Int({ min: 1, description: 'Bytes of a Spark, as text or in base64.' }) spark_payload_bytes: number;
  @Int({ min: 1, description: 'The longest lifetime of a Spark and of its link.' }) spark_ttl_minutes: number;
  @Int({ min: 1, description: 'The longest lifetime of a Vault Access Token.' }) vat_ttl_seconds: number;
  @Int({ min: 1, description: 'The largest limit that every list accepts.' }) page_size: number;
  @Int({ min: 1, description: 'The largest limit that some lists accept.' }) page_size_max: number;
  @Int({ min: 1 }) vault_name_characters: number;
  @Int({ min: 1 }) ingot_name_characters: number;
  @Int({ min: 1 }) folder_name_characters: number;
  @Int({ min: 1, description: 'Folders within each other.' }) folder_levels: number;
  @Int({ min: 1, description: 'Bytes of a file.' }) ingot_size_bytes: number;
  @Int({ min: 1, description: 'Bytes of every chunk of an upload but the last.' }) chunk_size_bytes: number;
  @Int({ min: 1, description: 'Keys of a structured ingot.' }) structured_keys: number;
  @Int({ min: 1 }) structured_key_characters: number;
  @Int({ min: 1, description: 'Bytes of a value in JSON.' }) structured_value_bytes: number;
  @Int({ min: 1, description: 'Keys that one call retrieves.' }) retrieved_keys: number;
  @Int({ min: 1, description: 'Recipients of a notification.' }) recipients: number;
}

/** How a client that keeps no secret signs a person in: the authorization code flow with PKCE, or the device flow. */
@Example({
  issuer: 'https://login.example.com',
  authorization_endpoint: 'https://login.example.com/authorize',
  client_id: 'vaultsvc',
  redirect_uri: 'https://api.example.com/console/callback',
  scopes: ['openid', 'email', 'profile'],
  code_challenge_method: 'S256',
})
export class SignInSettings {
  @Text({
    max: 2_048,
    description: 'The identity provider. Its metadata (OpenID Connect Discovery) name the other endpoints.',
  })
  issuer: string;
  @Text({ max: 2_048 }) authorization_endpoint: string;
  @Text({ max: 1_024, description: 'ID tokens must be issued to this client.' }) client_id: string;
  @Text({ max: 2_048, description: 'The redirect URI of the console.' }) redirect_uri: string;
  @TextList({ maxItems: 20, max: 64 }) scopes: string[];
  @Text({ max: 16, description: 'PKCE is required (RFC 7636).' }) code_challenge_method: string;
}

/** The features of this deployment. */
export class PublicFeatures {
  @Flag({ description: 'People can sign in: the identity provider has answered.' }) sign_in: boolean;
  @Flag({ description: 'The feed of notifications can be followed by WebSocket.' }) live_feed: boolean;
  @Flag({ description: 'The audit log is published as a transparency log.' }) transparency_log: boolean;
  @Flag({ description: 'Vaults can have an upload portal or widget.' }) upload_sources: boolean;
}

/** What clients have to know of a deployment. */
@Example({
  api_version: '1.0.0',
  features: { sign_in: true, live_feed: true, transparency_log: true, upload_sources: false },
})
export class PublicConfig {
  @Text({ max: 255, description: 'As meta.api_version.' }) api_version: string;
  @Nested(() => PublicOrigins) origins: PublicOrigins;
  @Nested(() => PublicLimits) limits: PublicLimits;
  @Nested(() => SignInSettings, {
    nullable: true,
    description: 'null while the identity provider does not answer.',
  })
  sign_in: SignInSettings | null;
  @Nested(() => PublicFeatures) features: PublicFeatures;
}

/** Answered by the gateway, which asks auth for the registration at the identity provider (OPEN-33). */
export const readDeployment = operation({
  name: 'gateway.read-deployment',
  summary: 'Reads the origins, limits, sign-in settings and features of the deployment.',
  http: { method: 'GET', path: '/v1/config', status: 200 },
  access: { credential: 'none' },
  reply: PublicConfig,
  repeatable: true,
});
