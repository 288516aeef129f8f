import { describe, expect, it } from '@jest/globals';
import { serviceEnvironment } from './environment.mjs';
import { readSettings, services } from './settings.mjs';

const settings = readSettings({ VAULTSVC_PORT: '9000' }, []);
const secrets = {
  CURSOR_KEY: 'cursor',
  CONTEXT_KEY: 'context',
  postgres_password: 'super',
  database_passwords: { sparks: 'of-sparks', vaults: 'of-vaults' },
};

function environmentOf(service: string, given: NodeJS.ProcessEnv = {}) {
  return serviceEnvironment(service, settings, secrets, given);
}

describe('The environment of a service', () => {
  it('a product setting of whoever starts the stack wins', () => {
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

  it("the stack's own parts stay where they are, and the operator's AWS credentials stay at home", () => {
    const strangers = {
      DATABASE_URL: 'postgres://prod',
      REDIS_URL: 'redis://prod',
      AWS_SECRET_ACCESS_KEY: 'real',
      AWS_SESSION_TOKEN: 'real',
    };
    const environment = environmentOf('sparks', strangers);
    expect(environment.DATABASE_URL).toBe('postgres://sparks:of-sparks@127.0.0.1:9020/vaultsvc');
    expect(environment.REDIS_URL).toBe('redis://127.0.0.1:9021');
    expect(environment.AWS_SECRET_ACCESS_KEY).toBe('local');
    expect(environment.AWS_SESSION_TOKEN).toBeUndefined();
  });

  it('what is meant for npm, Node or Jest does not reach a service', () => {
    const environment = environmentOf('sparks', {
      NODE_OPTIONS: '--inspect',
      npm_config_x: '1',
      JEST_WORKER_ID: '1',
    });
    expect(Object.keys(environment)).not.toEqual(expect.arrayContaining(['NODE_OPTIONS']));
    expect(environment).not.toHaveProperty('npm_config_x');
    expect(environment).not.toHaveProperty('JEST_WORKER_ID');
  });

  it("OPEN-51: a service knows no other service's password, and the gateway alone signs cursors", () => {
    expect(JSON.stringify(environmentOf('sparks'))).not.toContain('of-vaults');
    expect(JSON.stringify(environmentOf('sparks'))).not.toContain('super');
    expect(environmentOf('sparks')).not.toHaveProperty('CURSOR_KEY');
    expect(environmentOf('gateway')).toMatchObject({ CURSOR_KEY: 'cursor', CONTEXT_KEY: 'context' });
    expect(environmentOf('gateway')).not.toHaveProperty('DATABASE_URL');
  });

  it('an address may do at least what an account may', () => {
    expect(environmentOf('gateway').RATE_LIMIT_PER_IP_PER_MINUTE).toBe('600');
    expect(environmentOf('gateway', { RATE_LIMIT_PER_MINUTE: '9000' }).RATE_LIMIT_PER_IP_PER_MINUTE).toBe(
      '9000',
    );
    const both = { RATE_LIMIT_PER_MINUTE: '9000', RATE_LIMIT_PER_IP_PER_MINUTE: '20' };
    expect(environmentOf('gateway', both).RATE_LIMIT_PER_IP_PER_MINUTE).toBe('20');
  });

  it('MISC-02: every service is told the same five origins', () => {
    const origins = ['API_ORIGIN', 'FORGE_ORIGIN', 'LINK_ORIGIN', 'FILES_ORIGIN', 'IDENTITY_ORIGIN'];
    for (const service of services) {
      const environment = environmentOf(service);
      expect(origins.map((name) => environment[name])).toEqual(
        [0, 1, 2, 3, 4].map((offset) => `http://127.0.0.1:${9000 + offset}`),
      );
    }
  });
});
