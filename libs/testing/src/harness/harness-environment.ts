import { randomBytes } from 'node:crypto';
import { kmsCredentialsOf, redisUrlOf, sharedServers, type TestSchema } from '../servers/index.js';
import { wireSettings } from '../wire/index.js';
import { shardSettings } from './test-shard.js';

type Environment = Record<string, string>;

/**
 * No spec breaks the shared Redis: a late answer means a busy machine. A spec that breaks Redis starts its own, with the
 * timeout of the product.
 */
const SHARED_REDIS_ANSWER_MS = '30000';

/** Settings that are the same in every harness. */
const COMMON: Readonly<Environment> = {
  PROFILE: 'local',
  LOG_LEVEL: 'warn',
  PRIVATE_PORT: '0',
  HTTP_PORT: '0',
  LINK_PORT: '0',
  FILES_PORT: '0',
  AUDIT_LOG_ORIGIN: '127.0.0.1:8080/v1/audit-logs/log',
  API_ORIGIN: 'http://127.0.0.1:8080',
  FORGE_ORIGIN: 'http://127.0.0.1:8081',
  LINK_ORIGIN: 'http://127.0.0.1:8082',
  FILES_ORIGIN: 'http://127.0.0.1:8083',
  OIDC_ISSUER: 'http://127.0.0.1:8084',
  OIDC_CLIENT_ID: 'vaultsvc-test',
  OIDC_REDIRECT_URI: 'http://127.0.0.1:8084/signin',
  REQUIRE_HTTPS: 'false',
  OBJECTS_FSYNC: 'false', // the specs of libs/objects test fsync
  DATABASE_STATEMENT_MS: '30000', // a late answer means a busy machine, not a fault; a spec of the timeout sets its own
  CALL_TIMEOUT_MS: '50000', // for the same reason
  SHUTDOWN_DELAY_MS: '0',
  OLDEST_RELEASE: '0.2', // for what services send and store; specs of the forms before it say so
};

/** Keys that several services have in common: those of all harnesses of a spec file, which share a Redis database. */
const sharedKeys = {
  CURSOR_KEY: newKey(),
  CREDENTIAL_RECORD_KEY: newKey(),
  POOL_SNAPSHOT_KEY: newKey(),
};

/** The environment variables of the services of a harness. */
export class HarnessEnvironment {
  /** @param ofHarness the servers and folders of the harness; `settingsForAll` precede all but the settings of a service */
  constructor(
    private readonly ofHarness: Readonly<Record<'NATS_URL' | 'OBJECTS_DIR', string>>,
    private readonly settingsForAll: Environment,
  ) {}

  /** @param schema undefined for a service without tables */
  of(service: string, schema: TestSchema | undefined, settings: Environment): Environment {
    const { redisUrl } = sharedServers();
    const ownRedisUrl = settings['REDIS_URL'] ?? this.settingsForAll['REDIS_URL'];
    return {
      ...COMMON,
      ...shardSettings,
      ...this.ofHarness,
      ...sharedKeys,
      ...kmsSettings(service),
      ...(schema && databaseSettings(schema)),
      ...wireSettings(service),
      ...(ownRedisUrl === undefined && { REDIS_ANSWER_MS: SHARED_REDIS_ANSWER_MS }),
      ...this.settingsForAll,
      ...settings,
      REDIS_URL: redisUrlOf(service, ownRedisUrl ?? redisUrl),
    };
  }

  /** Whether a spec gives a service a database of its own. */
  hasOwnDatabase(settings: Environment): boolean {
    return 'DATABASE_URL' in { ...this.settingsForAll, ...settings };
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64');
}

function kmsSettings(service: string): Environment {
  const { accessKeyId, secretAccessKey } = kmsCredentialsOf(service);
  return {
    KMS_ENDPOINT: sharedServers().kmsUrl,
    KMS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

function databaseSettings({ databaseUrl, keysDatabaseUrl, schema }: TestSchema): Environment {
  return { DATABASE_URL: databaseUrl, KEYS_DATABASE_URL: keysDatabaseUrl, DATABASE_SCHEMA: schema };
}
