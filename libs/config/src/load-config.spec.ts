import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { ConfigError, loadConfig, Setting, withSettings } from './load-config.js';
import { flag, httpUrl, integer, key256, list, origin, secretUrl, socketAddress } from './parsers.js';
import { Secret } from './secret.js';

class Config {
  @Setting(integer({ min: 1, max: 10 }), 'A count.') COUNT = 3;
  @Setting(secretUrl, 'A database.') DATABASE_URL: Secret;
  @Setting(key256, 'A key.') KEY: Secret<Buffer>;
  @Setting(flag, 'A flag.') ENABLED = false;
  @Setting(list(origin), 'Some origins.') ORIGINS: readonly string[] = [];
}
const key = Buffer.alloc(32, 7).toString('base64');

describe('loadConfig', () => {
  it('applies defaults, parses given values and wraps secrets', () => {
    const config = loadConfig(Config, {
      DATABASE_URL: 'postgres://u:hunter2@h/d',
      KEY: key,
      ORIGINS: 'https://a.test, http://b.test:1',
    });
    expect(config).toMatchObject({
      COUNT: 3,
      ENABLED: false,
      ORIGINS: ['https://a.test', 'http://b.test:1'],
    });
    expect(config.KEY.reveal()).toHaveLength(32);
  });

  it('lets a subclass redeclare a setting, and reports its problem once', () => {
    class SlowConfig extends Config {
      @Setting(integer({ min: 1, max: 100 }), 'A count, here.') override COUNT = 30;
    }
    const given = { DATABASE_URL: 'postgres://u:hunter2@h/d', KEY: key };
    expect(loadConfig(SlowConfig, given).COUNT).toBe(30);
    expect(loadConfig(SlowConfig, { ...given, COUNT: '99' }).COUNT).toBe(99);
    expect(() => loadConfig(SlowConfig, { ...given, COUNT: '101' })).toThrow(
      /^The configuration is not valid:\n {2}COUNT .* A count, here\.$/,
    );
  });

  it('reads the settings of a class that combines two others, and reports the problems of both', () => {
    class Further {
      @Setting(integer({ min: 1, max: 9 }), 'A port.') PORT = 5;
      @Setting(flag, 'A required flag.') REQUIRED: boolean;
    }
    class Combined extends withSettings(Config, Further) {
      @Setting(integer({ min: 1, max: 99 }), 'A port, here.') override PORT = 50;
    }
    const given = { DATABASE_URL: 'postgres://u:hunter2@h/d', KEY: key, REQUIRED: 'true' };
    const config = loadConfig(Combined, given);
    expect(config).toBeInstanceOf(Config);
    expect(config).toMatchObject({ COUNT: 3, PORT: 50, REQUIRED: true });
    expect(() => loadConfig(Combined, { COUNT: '11', KEY: key })).toThrow(
      /COUNT .*DATABASE_URL .*REQUIRED /s,
    );
  });

  it('MISC-03: reports all problems at once, without values', () => {
    const load = () =>
      loadConfig(Config, { COUNT: '11', KEY: 'hunter2', ENABLED: 'yes', ORIGINS: 'https://a.test/path' });
    expect(load).toThrow(ConfigError);
    try {
      load();
    } catch (error) {
      const { message } = error as ConfigError;
      for (const name of ['COUNT', 'DATABASE_URL', 'KEY', 'ENABLED', 'ORIGINS'])
        expect(message).toContain(name);
      expect(message).not.toMatch(/hunter2|yes|a\.test/);
    }
  });
});

describe('MISC-03: A Secret', () => {
  it('is redacted in JSON, strings and inspections, and returned by reveal', () => {
    const secret = new Secret('hunter2');
    expect(
      `${JSON.stringify({ secret })} ${secret} ${inspect({ secret }, { showHidden: true })}`,
    ).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
  });
});

describe('OPEN-46 OPEN-47: Parsers of addresses', () => {
  it.each([
    ['10.0.0.2', '10.0.0.2'],
    ['10.0.0.2:5353', '10.0.0.2:5353'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:53', '[2001:db8::1]:53'],
    ['localhost', '127.0.0.1'],
    ['localhost:5353', '127.0.0.1:5353'],
  ])('accept the DNS server %s', (given, read) => expect(socketAddress(given)).toBe(read));

  it.each([
    '',
    'dns.example',
    '10.0.0.2:99999',
    '10.0.0.2:',
    '10.0.0',
    '[10.0.0.2]:53',
    'localhost.example:53',
    '::1:port',
  ])('refuse the DNS server %j', (given) =>
    expect(() => socketAddress(given)).toThrow('must be an IP address'),
  );

  it.each(['https://login.example.com', 'https://login.example.com/realms/main/', 'http://127.0.0.1:8084'])(
    'accept the issuer %s unchanged',
    (given) => expect(httpUrl(given)).toBe(given),
  );

  it.each(['login.example.com', 'ftp://x', 'https://u:p@x/', 'https://x/?a=b', 'https://x/#a'])(
    'refuse the issuer %j',
    (given) => expect(() => httpUrl(given)).toThrow(/^must be a/),
  );
});
