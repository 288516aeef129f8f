// What the chart must know of settings and cannot read from their classes.

/** Settings that the chart sets itself: users of the chart cannot. */
export const ownedByChart: readonly string[] = [
  'PROFILE',
  'BUILD_VERSION',
  'DATABASE_SCHEMA',
  'HTTP_HOST',
  'HTTP_PORT',
  'LINK_PORT',
  'FILES_PORT',
  'PRIVATE_HOST',
  'PRIVATE_PORT',
  'REQUIRE_HTTPS',
  'CREDENTIALS_DIRECTORY',
  'SHARD',
  'SHARDS',
];

/** Settings with one meaning for each service: one value for all would join what must be apart. */
export const ofOneService: readonly string[] = ['S3_BUCKET'];

/** Settings that contain secrets, though their type is not `Secret`; provision makes EVENT_KEYS with the others. */
export const furtherSecrets: readonly string[] = ['AUDIT_SINKS', 'EVENT_KEYS'];

/** Secrets that provision makes. All others come from the operator. */
export const provisioned: readonly string[] = [
  'CALL_KEYS',
  'EVENT_SIGNING_KEY',
  'EVENT_KEYS',
  'NATS_NKEY_SEED',
  'AUDIT_LOG_KEYS',
  'CURSOR_KEY',
  'CREDENTIAL_RECORD_KEY',
  'POOL_SNAPSHOT_KEY',
];

/** The servers that a service reaches, by a setting that each of its users has. `internet` is HTTPS to addresses of others. */
export const dependencies: Readonly<Record<string, string>> = {
  NATS_URL: 'nats',
  DATABASE_URL: 'postgresql',
  REDIS_URL: 'redis',
  KMS_KEY_ID: 'kms',
  S3_ENDPOINT: 'objects',
  SMTP_URL: 'smtp',
  OIDC_ISSUER: 'identity',
  WEB_RISK_URL: 'internet',
  SMS_URL: 'internet',
  CRMA_API_ORIGIN: 'internet',
  STRIPE_API_ORIGIN: 'internet',
  TRACES_ENDPOINT: 'traces',
};

/** Ports that listen for the public, by the name of a port of a container. */
export const publicPorts: Readonly<Record<string, string>> = {
  HTTP_PORT: 'http',
  LINK_PORT: 'links',
  FILES_PORT: 'files',
};
