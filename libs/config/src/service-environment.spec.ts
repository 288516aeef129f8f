import { describe, expect, it } from '@jest/globals';
import { settingReaders } from './generated/setting-readers.js';
import { environmentOf, unknownSettingsOfAll } from './index.js';

const services = ['gateway', 'auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'];

describe('The environment of a service in a process of several', () => {
  it('has its own values by their plain names, and those without a prefix', () => {
    const environment = {
      NATS_URL: 'nats://a',
      SPARKS_DATABASE_URL: 'postgres://sparks',
      AUTH_DATABASE_URL: 'postgres://auth',
      PATH: '/bin',
    };
    expect(environmentOf('sparks', environment)).toEqual({
      NATS_URL: 'nats://a',
      DATABASE_URL: 'postgres://sparks',
      PATH: '/bin',
    });
    expect(environmentOf('forge', environment)).toEqual({ NATS_URL: 'nats://a', PATH: '/bin' });
  });

  it.each([
    [{ HTTP_PORT: '1', FORGE_HTTP_PORT: '2' }, { HTTP_PORT: '2' }],
    [{ REDIS_URL: 'a', FORGE_REDIS_URL_FILE: '/b' }, { REDIS_URL_FILE: '/b' }],
    [{ REDIS_URL_FILE: '/a', FORGE_REDIS_URL: 'b' }, { REDIS_URL: 'b' }],
    [{ REDIS_URL: 'a', FORGE_REDIS_URL: '' }, { REDIS_URL: 'a' }],
    [{ FORGE_NATS_CREDENTIALS_FILE: '/a' }, { NATS_CREDENTIALS_FILE: '/a' }],
  ])('has an own value instead of the one without a prefix, also by a file: %j', (given, expected) => {
    expect(environmentOf('forge', given)).toEqual(expected);
  });

  it('keeps a setting whose name begins like a service: FORGE_ORIGIN is no ORIGIN of forge', () => {
    const environment = { FORGE_ORIGIN: 'https://forge.example.com' };
    expect(environmentOf('gateway', environment)).toEqual(environment);
    expect(environmentOf('forge', environment)).toEqual(environment);
    expect(environmentOf('gateway', { GATEWAY_FORGE_ORIGIN: 'https://x' })).toEqual({
      FORGE_ORIGIN: 'https://x',
    });
  });

  it('has the settings of the process from names without a prefix alone', () => {
    const environment = { PRIVATE_PORT: '9100', SPARKS_PRIVATE_PORT: '9101' };
    expect(environmentOf('sparks', environment)['PRIVATE_PORT']).toBe('9100');
  });

  it('is unambiguous: no setting is named like another one with the prefix of a service', () => {
    const names = Object.keys(settingReaders);
    const prefixed = services.flatMap((service) => names.map((name) => `${service.toUpperCase()}_${name}`));
    expect(names.filter((name) => prefixed.includes(name))).toEqual([]);
    expect(new Set(Object.values(settingReaders).flatMap((readers) => readers.split(' ')))).toEqual(
      new Set(services),
    );
  });
});

describe('unknownSettingsOfAll', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['SPARKS_DATABSE_URL', 'SPARKS_DATABASE_URL'],
    ['SPARK_DATABASE_URL', 'SPARKS_DATABASE_URL'],
    ['SPARKS_DATABASE_POOL_SIZE', 'SPARKS_DATABASE_POOL_MAX'],
    ['SPARKS_HTTP_PORT', 'FORGE_HTTP_PORT or GATEWAY_HTTP_PORT'],
    ['GATEWAY_DATABASE_URL_FILE', expect.stringMatching(/^AUTH_DATABASE_URL or /)],
    ['SPARKS_PRIVATE_PORT', 'PRIVATE_PORT'],
  ])('names %s, and what was probably meant: %s', (name, nearest) => {
    expect(unknownSettingsOfAll({ [name]: 'x' })).toEqual([{ name, nearest }]);
  });

  it('names no setting of a service, and no variable of other programs', () => {
    const known = [
      ...[
        'DATABASE_URL',
        'SPARKS_DATABASE_URL_FILE',
        'FORGE_ORIGIN',
        'GATEWAY_FORGE_ORIGIN',
        'AUTH_CALL_KEYS',
      ],
      ...['AUTH_SERVICE_HOST', 'AUTH_PORT_4222_TCP_ADDR', 'NODE_ENV', 'HOSTNAME', 'AWS_REGION'],
    ];
    expect(unknownSettingsOfAll(Object.fromEntries(known.map((name) => [name, 'x'])))).toEqual([]);
  });
});
