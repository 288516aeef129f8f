import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, type ServiceConfig } from '@vaultsvc/config';
import { auth } from '../../../apps/auth/src/service-definition.js';
import { forge } from '../../../apps/forge/src/service-definition.js';
import { gateway } from '../../../apps/gateway/src/service-definition.js';
import { integrations } from '../../../apps/integrations/src/service-definition.js';
import { notify } from '../../../apps/notify/src/service-definition.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { vaults } from '../../../apps/vaults/src/service-definition.js';

const key = Buffer.alloc(32, 7).toString('base64');
/** Every secret of the settings below; no message may contain one. */
const secret = 'hunter2';

/** A complete environment of a deployment, for every service. */
const complete = {
  NATS_URL: 'tls://nats-0.example:4222,tls://nats-1.example:4222',
  NATS_NKEY_SEED: 'SUAFJ5DKD2HYYLNYEGQD6D22CEPUBQBC4CRB44CTRAFGUOQCHPZBSSDUCY',
  CALL_KEYS: `gateway-auth:${key}`,
  EVENT_SIGNING_KEY: key,
  EVENT_KEYS: `auth:${key}`,
  CURSOR_KEY: key,
  CREDENTIAL_RECORD_KEY: key,
  POOL_SNAPSHOT_KEY: key,
  AUDIT_LOG_ORIGIN: 'api.example/v1/audit-logs/log',
  AUDIT_LOG_KEYS: key,
  REDIS_URL: `rediss://service:${secret}@redis.example:6380`,
  DATABASE_URL: `postgres://service:${secret}@postgres.example/vaultsvc?sslmode=verify-full`,
  DATABASE_SCHEMA: 'service',
  KMS_REGION: 'eu-central-1',
  S3_BUCKET: 'objects',
  S3_REGION: 'eu-central-1',
  API_ORIGIN: 'https://api.example',
  FORGE_ORIGIN: 'https://forge.example',
  LINK_ORIGIN: 'https://links.example',
  FILES_ORIGIN: 'https://files.example',
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'vaultsvc',
  OIDC_REDIRECT_URI: 'https://app.example/signin',
};

/** A setting with values that are refused in production, and accepted by the local profile. */
type Weakness = [setting: string, ...values: string[]];
const nats: Weakness[] = [
  ['NATS_URL', 'nats://nats.example', `tls://a.example,nats://u:${secret}@b.example`],
  ['NATS_NKEY_SEED', ''],
];
const postgres: Weakness = [
  'DATABASE_URL',
  `postgres://service:${secret}@postgres.example/vaultsvc`,
  `postgres://service:${secret}@postgres.example/vaultsvc?sslmode=require`,
  `postgres://service:${secret}@postgres.example/vaultsvc?sslmode=verify-full&sslmode=disable`,
  'postgres://service@postgres.example/vaultsvc?sslmode=verify-full',
  'postgres://service@postgres.example/vaultsvc?sslmode=verify-full&sslcert=/c',
  `postgres://:${secret}@postgres.example/vaultsvc?sslmode=verify-full`,
];
const redis: Weakness = [
  'REDIS_URL',
  `redis://service:${secret}@redis.example`,
  `rediss://:${secret}@redis.example`,
  `rediss://default:${secret}@redis.example`,
  'rediss://service@redis.example',
];
const kms: Weakness = ['KMS_ENDPOINT', 'http://kms.example'];
const objects: Weakness = ['S3_ENDPOINT', 'http://s3.example'];

const services: [string, { config: new () => ServiceConfig }, Weakness[]][] = [
  ['gateway', gateway, [...nats, redis]],
  ['auth', auth, [...nats, redis, postgres, kms]],
  ['sparks', sparks, [...nats, postgres, kms]],
  ['vaults', vaults, [...nats, postgres, kms]],
  ['forge', forge, [...nats, redis, postgres, objects]],
  ['notify', notify, [...nats, postgres]],
  ['integrations', integrations, [...nats, postgres, kms]],
  ['reporting', reporting, [...nats, redis, postgres]],
];

/** The settings that a message names, each at the start of its line; none for a configuration that is accepted. */
function problemsOf(type: new () => ServiceConfig, environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(type, { ...complete, ...environment });
    return [];
  } catch (error) {
    const { message, problems } = error as ConfigError;
    expect(message).not.toMatch(/hunter2|\.example/);
    return problems.map((problem) => problem.split(' ')[0] as string);
  }
}

describe.each(services)('OPEN-51: %s with PROFILE=production', (_, { config }, weaknesses) => {
  it('starts with TLS and credentials for each server', () => {
    expect(problemsOf(config, {})).toEqual([]);
    expect(problemsOf(config, { PROFILE: 'production' })).toEqual([]);
  });

  it.each(weaknesses)('is refused without them, and names %s', (setting, ...values) => {
    for (const value of values) {
      expect(problemsOf(config, { [setting]: value })).toEqual([setting]);
      expect(problemsOf(config, { PROFILE: 'local', [setting]: value })).toEqual([]);
    }
  });

  it('names all of them in one message, beside the settings that are missing', () => {
    const worst = Object.fromEntries(weaknesses.map(([setting, value]) => [setting, value]));
    const expected = [...weaknesses.map(([setting]) => setting), 'CALL_KEYS'].toSorted();
    expect(problemsOf(config, { ...worst, CALL_KEYS: '' }).toSorted()).toEqual(expected);
  });
});

describe('OPEN-51: credentials in two settings', () => {
  it.each([
    ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', auth.config],
    ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', forge.config],
  ])('are set together: %s and %s', (id, value, config) => {
    expect(problemsOf(config, { [id]: 'id', [value]: secret })).toEqual([]);
    expect(problemsOf(config, { [id]: 'id' })).toEqual([value]);
    expect(problemsOf(config, { [value]: secret })).toEqual([value]);
  });
});
