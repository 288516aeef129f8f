import { describe, expect, it } from '@jest/globals';
import { loadConfig, type ConfigError } from '@vaultsvc/config';
import { KmsConfig } from './index.js';

const key = Buffer.alloc(32, 7).toString('base64');
const other = {
  NATS_URL: 'tls://nats.example',
  NATS_NKEY_SEED: 'SUAFJ5DKD2HYYLNYEGQD6D22CEPUBQBC4CRB44CTRAFGUOQCHPZBSSDUCY',
  CALL_KEYS: `gateway-auth:${key}`,
  EVENT_SIGNING_KEY: key,
  DATABASE_URL: 'postgres://service:hunter2@postgres.example/vaultsvc?sslmode=verify-full',
  DATABASE_SCHEMA: 'service',
};

const load = (settings: Record<string, string>) => loadConfig(KmsConfig, { ...other, ...settings });

/** The settings that a refusal names. */
function namesOf(settings: Record<string, string>): string[] {
  try {
    load(settings);
    return [];
  } catch (error) {
    return (error as ConfigError).problems.map((problem) => problem.split(' ')[0] as string).toSorted();
  }
}

describe('OPEN-45: the settings of key management', () => {
  it('are by default a key of AWS, whose region is required', () => {
    expect(namesOf({})).toEqual(['KMS_REGION']);
    expect(load({ KMS_REGION: 'eu-central-1' }).kms).toEqual({
      key: { provider: 'aws', region: 'eu-central-1', keyId: 'alias/vk-root' },
    });
  });

  it('of transit have a server over https, a role and a secret', () => {
    expect(namesOf({ KMS_PROVIDER: 'transit' })).toEqual([
      'KMS_TRANSIT_ROLE',
      'KMS_TRANSIT_SECRET',
      'KMS_TRANSIT_URL',
    ]);
    const transit = { KMS_PROVIDER: 'transit', KMS_TRANSIT_URL: 'https://vault.example:8200' };
    const login = { KMS_TRANSIT_ROLE: 'sparks', KMS_TRANSIT_SECRET: 'hunter2' };
    expect(namesOf({ ...transit, ...login, KMS_TRANSIT_URL: 'http://vault.example' })).toEqual([
      'KMS_TRANSIT_URL',
    ]);
    expect(load({ ...transit, ...login }).kms.key).toMatchObject({
      provider: 'transit',
      url: 'https://vault.example:8200',
      mount: 'transit',
      keyName: 'vk-root',
      auth: 'approle',
      authMount: 'approle',
      role: 'sparks',
      random: 'refused',
    });
    const kubernetes = { KMS_TRANSIT_AUTH: 'kubernetes', KMS_TRANSIT_ROLE: 'sparks' };
    expect(load({ ...transit, ...kubernetes }).kms.key).toMatchObject({
      authMount: 'kubernetes',
      secretFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    });
    expect(namesOf({ ...transit, KMS_TRANSIT_AUTH: 'token' })).toEqual(['KMS_TRANSIT_SECRET']);
    expect(namesOf({ ...transit, KMS_TRANSIT_AUTH: 'token', KMS_TRANSIT_LOGIN_FILE: '/run/token' })).toEqual(
      [],
    );
  });

  it('of a file have the file and its passphrase, which may be a credential of systemd', () => {
    expect(namesOf({ KMS_PROVIDER: 'file' })).toEqual(['KMS_KEYS_FILE', 'KMS_PASSPHRASE_FILE']);
    const file = { KMS_PROVIDER: 'file', KMS_KEYS_FILE: '/etc/vaultsvc/kms.keys' };
    expect(load({ ...file, KMS_PASSPHRASE_FILE: '/etc/vaultsvc/passphrase' }).kms.key).toEqual({
      provider: 'file',
      file: '/etc/vaultsvc/kms.keys',
      passphraseFile: '/etc/vaultsvc/passphrase',
      isSystemdCredential: false,
      keyName: 'vk-root',
    });
    expect(load({ ...file, CREDENTIALS_DIRECTORY: '/run/credentials/sparks.service' }).kms.key).toMatchObject(
      {
        passphraseFile: '/run/credentials/sparks.service/kms-passphrase',
        isSystemdCredential: true,
      },
    );
  });

  it('of a second key are complete or absent, and it draws no random data', () => {
    const aws = { KMS_REGION: 'eu-central-1' };
    expect(load(aws).kms.second).toBeUndefined();
    expect(namesOf({ ...aws, KMS_SECOND_PROVIDER: 'aws' })).toEqual([
      'KMS_SECOND_KEY_ID',
      'KMS_SECOND_REGION',
    ]);
    expect(namesOf({ ...aws, KMS_SECOND_PROVIDER: 'file', KMS_SECOND_KEY_ID: 'vk-root' })).toEqual([
      'KMS_SECOND_KEYS_FILE',
      'KMS_SECOND_PASSPHRASE_FILE',
    ]);
    const second = {
      KMS_SECOND_PROVIDER: 'transit',
      KMS_SECOND_KEY_ID: 'vk-root',
      KMS_SECOND_TRANSIT_URL: 'https://vault.example',
      KMS_SECOND_TRANSIT_ROLE: 'sparks',
      KMS_SECOND_TRANSIT_SECRET: 'hunter2',
      KMS_TRANSIT_RANDOM: 'seal',
    };
    expect(load({ ...aws, ...second }).kms.second).toMatchObject({ provider: 'transit', random: 'refused' });
  });

  it('MISC-03: name no secret in a message', () => {
    const settings = { KMS_PROVIDER: 'transit', KMS_TRANSIT_SECRET: 'hunter2', KMS_TRANSIT_AUTH: 'hunter2' };
    expect(() => load(settings)).toThrow(/^(?!.*hunter2).*KMS_TRANSIT_URL/s);
  });
});
