import { describe, expect, it } from '@jest/globals';
import { environmentOf as environmentInOneProcess } from '@vaultsvc/config';
import { environmentOfAll, migrationEnvironment, oidcClient, serviceEnvironment } from './environment.ts';
import { completeKeys } from '../provision/keys.ts';
import { readTopology } from '../provision/topology.ts';
import { readSettings, services, shardedServices } from './settings.ts';
import { ofSecondShard } from './stack-ports.ts';

const settings = readSettings({ VAULTSVC_PORT: '9000' }, []);
const secrets = {
  CURSOR_KEY: 'cursor',
  keys: completeKeys(readTopology()),
  nats_password: 'inspect',
  nats_administrator: { seed: 'SU', publicKey: 'U' },
  postgres_password: 'super',
  database_passwords: { sparks: 'of-sparks', vaults: 'of-vaults' },
  database_owner_passwords: { sparks: 'owns-sparks' },
  CREDENTIAL_RECORD_KEY: 'credentials',
  POOL_SNAPSHOT_KEY: 'pools',
  redis_passwords: { auth: 'auth-in-redis', forge: 'forge-in-redis' },
  kms_secrets: { sparks: 'sparks-in-kms', vaults: 'vaults-in-kms' },
  push: {
    fcm_private_key: 'fcm-key',
    apns_key: 'apns-key',
    vapid_public_key: 'vapid-public',
    vapid_private_key: 'vapid-private',
  },
  apps: { CHATAPP_CLIENT_SECRET: 'chat-secret', CRMA_CLIENT_SECRET: 'crma-secret' },
};

function environmentOf(service: string, given: NodeJS.ProcessEnv = {}) {
  return serviceEnvironment(service, settings, secrets, given);
}

describe('The environment of all services in one process', () => {
  it.each(services)(
    'has for %s what it has in a process of its own, but the port of the process',
    (service) => {
      const given = { LOG_LEVEL: 'warn', NEW_SETTING: '7' };
      const all = environmentOfAll('all', settings, secrets, given);
      const { PRIVATE_PORT: _, ...expected } = environmentOf(service, given);
      expect(environmentInOneProcess(service, all)).toMatchObject(
        Object.fromEntries(Object.entries(expected).filter(([, value]) => value)), // an empty one is absent
      );
      expect(all['PRIVATE_PORT']).toBe('9040');
      expect(Object.keys(all)).not.toContain('CALL_KEYS');
    },
  );
});

describe('MISC-01: the environment of a service with --clusters', () => {
  const clustered = readSettings({ VAULTSVC_PORT: '9000' }, ['--clusters']);
  const environmentIn = (of: typeof clustered, service: string) =>
    serviceEnvironment(service, of, secrets, {});

  it('names every server of NATS and Redis, and each PostgreSQL with its standby', () => {
    const nats = 'nats://127.0.0.1:9022,nats://127.0.0.1:9053,nats://127.0.0.1:9054';
    const both = '@127.0.0.1:9020,127.0.0.1:9050/vaultsvc';
    for (const service of services)
      expect(environmentIn(clustered, service)).toMatchObject({ NATS_URL: nats, NATS_STREAM_REPLICAS: '3' });
    expect(environmentIn(clustered, 'auth')['REDIS_CLUSTER']).toBe(
      [9021, 9058, 9059, 9060, 9061, 9062].map((port) => `127.0.0.1:${port}`).join(),
    );
    expect(environmentIn(clustered, 'vaults')['DATABASE_URL']).toBe(`postgres://vaults:of-vaults${both}`);
    const migrations = migrationEnvironment('sparks', clustered, secrets, {});
    expect(migrations['DATABASE_URL']).toBe(`postgres://sparks_owner:owns-sparks${both}`);
  });

  it.each(shardedServices)(
    'gives each shard of %s its number, its PostgreSQL and its private port',
    (service) => {
      const of = (settings: typeof clustered) => {
        const { SHARDS, SHARD, DATABASE_URL, PRIVATE_PORT } = environmentIn(settings, service);
        return [SHARDS, SHARD, DATABASE_URL?.split('@')[1], PRIVATE_PORT];
      };
      const [first, second] = { sparks: ['9042', '9048'], reporting: ['9047', '9049'] }[service] ?? [];
      expect(of(clustered)).toEqual(['0,1', '0', '127.0.0.1:9020,127.0.0.1:9050/vaultsvc', first]);
      expect(of(ofSecondShard(clustered))).toEqual([
        '0,1',
        '1',
        '127.0.0.1:9051,127.0.0.1:9052/vaultsvc',
        second,
      ]);
    },
  );

  it('contains given settings instead of its defaults, but its own shards', () => {
    const of = (given: NodeJS.ProcessEnv) => {
      const { ACCOUNT_SHARDS, NATS_STREAM_REPLICAS, SHARDS } = serviceEnvironment(
        'auth',
        clustered,
        secrets,
        given,
      );
      return [ACCOUNT_SHARDS, NATS_STREAM_REPLICAS, SHARDS];
    };
    expect(of({})).toEqual(['0,1', '3', '0,1']);
    expect(of({ ACCOUNT_SHARDS: '1', NATS_STREAM_REPLICAS: '1', SHARDS: '1' })).toEqual(['1', '1', '0,1']);
  });

  it.each(['--one', '--watch'])('is refused together with %s', (option) => {
    expect(() => readSettings({}, ['--clusters', option])).toThrow(/exclude each other/);
  });
});

describe('The environment of a service', () => {
  it('contains the settings given to the launcher instead of the defaults', () => {
    const { REQUIRE_HTTPS, LINK_ORIGIN, NEW_SETTING } = environmentOf('sparks', {
      REQUIRE_HTTPS: 'true',
      LINK_ORIGIN: 'https://links.example',
      NEW_SETTING: '7',
    });
    expect({ REQUIRE_HTTPS, LINK_ORIGIN, NEW_SETTING }).toEqual({
      REQUIRE_HTTPS: 'true',
      LINK_ORIGIN: 'https://links.example',
      NEW_SETTING: '7',
    });
  });

  it("keeps the addresses of the stack's own servers, and excludes the developer's AWS credentials", () => {
    const given = {
      DATABASE_URL: 'postgres://prod',
      REDIS_URL: 'redis://prod',
      AWS_SECRET_ACCESS_KEY: 'real',
      AWS_SESSION_TOKEN: 'real',
    };
    const environment = environmentOf('sparks', given);
    expect(environment.DATABASE_URL).toBe('postgres://sparks:of-sparks@127.0.0.1:9020/vaultsvc');
    expect(environmentOf('auth', given).REDIS_URL).toBe('redis://auth:auth-in-redis@127.0.0.1:9021');
    expect(environment.AWS_SECRET_ACCESS_KEY).toBe('sparks-in-kms');
    expect(environmentOf('notify', given).AWS_SECRET_ACCESS_KEY).toBeUndefined();
    expect(environment.AWS_SESSION_TOKEN).toBeUndefined();
  });

  it('excludes the variables of npm, Node and Jest', () => {
    const environment = environmentOf('sparks', {
      NODE_OPTIONS: '--inspect',
      npm_config_x: '1',
      JEST_WORKER_ID: '1',
    });
    expect(Object.keys(environment)).not.toEqual(expect.arrayContaining(['NODE_OPTIONS']));
    expect(environment).not.toHaveProperty('npm_config_x');
    expect(environment).not.toHaveProperty('JEST_WORKER_ID');
  });

  it("OPEN-51: contains no other service's password, and keys only for the services that use them", () => {
    expect(JSON.stringify(environmentOf('sparks'))).not.toContain('of-vaults');
    expect(JSON.stringify(environmentOf('sparks'))).not.toMatch(/super|owns-sparks/);
    expect(migrationEnvironment('sparks', settings, secrets, {}).DATABASE_URL).toBe(
      'postgres://sparks_owner:owns-sparks@127.0.0.1:9020/vaultsvc',
    );
    expect(JSON.stringify(environmentOf('forge'))).not.toMatch(/auth-in-redis|in-kms/);
    expect(environmentOf('sparks').REDIS_URL).toBeUndefined();
    expect(JSON.stringify(environmentOf('sparks'))).not.toMatch(
      /fcm-key|apns-key|vapid-private|chat-secret|crma-secret/,
    );
    const holders = (key: string) => services.filter((service) => environmentOf(service)[key] !== undefined);
    expect(holders('CURSOR_KEY')).toEqual(['gateway']);
    expect(holders('CREDENTIAL_RECORD_KEY')).toEqual(['gateway', 'auth']);
    expect(holders('POOL_SNAPSHOT_KEY')).toEqual(['gateway', 'auth', 'reporting']);
    expect(holders('AWS_ACCESS_KEY_ID')).toEqual(['auth', 'sparks', 'vaults', 'notify', 'integrations']);
    expect(environmentOf('gateway')).toMatchObject({
      CURSOR_KEY: 'cursor',
      CALL_KEYS: expect.stringContaining('gateway-sparks:'),
    });
    expect(environmentOf('gateway')).not.toHaveProperty('DATABASE_URL');
  });

  it('limits an IP address to no less than an account, unless the limit is given', () => {
    expect(environmentOf('gateway').RATE_LIMIT_PER_IP_PER_MINUTE).toBe('600');
    expect(environmentOf('gateway', { RATE_LIMIT_PER_MINUTE: '9000' }).RATE_LIMIT_PER_IP_PER_MINUTE).toBe(
      '9000',
    );
    const both = { RATE_LIMIT_PER_MINUTE: '9000', RATE_LIMIT_PER_IP_PER_MINUTE: '20' };
    expect(environmentOf('gateway', both).RATE_LIMIT_PER_IP_PER_MINUTE).toBe('20');
  });

  it('OPEN-47: names the local identity provider unless another is given, as the descriptor does', () => {
    const given = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'ours', OIDC_REDIRECT_URI: '' };
    for (const environment of [{}, given]) {
      const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_REDIRECT_URI } = environmentOf('auth', environment);
      expect(oidcClient(settings.ports, environment)).toEqual({
        issuer: OIDC_ISSUER,
        client_id: OIDC_CLIENT_ID,
        redirect_uri: OIDC_REDIRECT_URI,
      });
    }
    expect(oidcClient(settings.ports, {})).toEqual({
      issuer: 'http://127.0.0.1:9004',
      client_id: 'vaultsvc-local',
      redirect_uri: 'http://127.0.0.1:9004/signin',
    });
    expect(oidcClient(settings.ports, given).issuer).toBe('https://login.example');
  });

  it('OPEN-57: names the local inbox as the mail server of notify, unless another is given', () => {
    const { SMTP_URL, MAIL_FROM, SIGN_IN_URL } = environmentOf('notify');
    expect({ SMTP_URL, MAIL_FROM, SIGN_IN_URL }).toEqual({
      SMTP_URL: 'smtp://127.0.0.1:9024',
      MAIL_FROM: 'vaultsvc <no-reply@localhost.test>',
      SIGN_IN_URL: 'http://127.0.0.1:9000/app',
    });
    expect(environmentOf('notify', { SMTP_URL: 'smtps://mail.example' }).SMTP_URL).toBe(
      'smtps://mail.example',
    );
    expect(environmentOf('auth')).not.toHaveProperty('SMTP_URL');
  });

  it('OPEN-35: names the local inbox as the SMS API of notify, unless another is given', () => {
    const { SMS_URL, SMS_FROM } = environmentOf('notify');
    expect(SMS_URL).toBe(`http://AC${'0'.repeat(32)}:local@127.0.0.1:9005`);
    expect(SMS_FROM).toBe('+14155550100');
    const given = `https://AC${'1'.repeat(32)}:t@api.twilio.com`;
    expect(environmentOf('notify', { SMS_URL: given }).SMS_URL).toBe(given);
    expect(environmentOf('sparks')).not.toHaveProperty('SMS_URL');
  });

  it('APP-20: names the emulated providers of the integrations, unless others are given', () => {
    expect(environmentOf('integrations')).toMatchObject({
      CHATAPP_API_ORIGIN: 'http://127.0.0.1:9006',
      CHATAPP_CLIENT_ID: 'local-chatapp',
      CHATAPP_CLIENT_SECRET: 'chat-secret',
      CRMA_API_ORIGIN: 'http://127.0.0.1:9007',
      CRMB_LOGIN_ORIGIN: 'http://127.0.0.1:9008',
    });
    const given = { CHATAPP_API_ORIGIN: 'https://slack.com' };
    expect(environmentOf('integrations', given).CHATAPP_API_ORIGIN).toBe('https://slack.com');
  });

  it('NTF-43: names the local inbox as the provider of every channel of notify, unless another is given', () => {
    const environment = environmentOf('notify');
    expect(environment).toMatchObject({
      FCM_URL: 'http://127.0.0.1:9005',
      APNS_URL: 'http://127.0.0.1:9025',
      APNS_KEY: 'apns-key',
      VAPID_PUBLIC_KEY: 'vapid-public',
      VAPID_PRIVATE_KEY: 'vapid-private',
    });
    expect(JSON.parse(environment.FCM_CREDENTIALS ?? '')).toMatchObject({
      private_key: 'fcm-key',
      token_uri: 'http://127.0.0.1:9005/fcm/token',
    });
    for (const name of ['WHATSAPP_FROM', 'RCS_FROM', 'VOICE_FROM']) expect(environment[name]).toBeDefined();
    expect(environmentOf('notify', { APNS_TOPIC: 'com.example.app' }).APNS_TOPIC).toBe('com.example.app');
    expect(environmentOf('sparks')).not.toHaveProperty('FCM_URL');
  });

  it('MISC-02 OPEN-64: contains the same five origins for every service, that of links with a host name', () => {
    const origins = ['API_ORIGIN', 'FORGE_ORIGIN', 'LINK_ORIGIN', 'FILES_ORIGIN', 'IDENTITY_ORIGIN'];
    for (const service of services) {
      const environment = environmentOf(service);
      expect(origins.map((name) => environment[name])).toEqual(
        [0, 1, 2, 3, 4].map(
          (offset) => `http://${offset === 2 ? 'localhost' : '127.0.0.1'}:${9000 + offset}`,
        ),
      );
    }
  });
});
