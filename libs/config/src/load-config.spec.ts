import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { ConfigError, loadConfig, Setting } from './load-config.js';
import { flag, integer, key256, list, origin, secretUrl } from './parsers.js';
import { Secret } from './secret.js';

class Config {
  @Setting(integer({ min: 1, max: 10 }), 'How many.') COUNT = 3;
  @Setting(secretUrl, 'Where the rows are.') DATABASE_URL: Secret;
  @Setting(key256, 'A key.') KEY: Secret<Buffer>;
  @Setting(flag, 'Whether.') ENABLED = false;
  @Setting(list(origin), 'Which origins.') ORIGINS: readonly string[] = [];
}
const key = Buffer.alloc(32, 7).toString('base64');

describe('settings are read and checked once, before anything connects', () => {
  it('takes defaults, parses what is given and keeps secrets wrapped', () => {
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

  it('MISC-03: names every problem at once and never a value', () => {
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

describe('MISC-03: a secret shows itself only when asked to', () => {
  it('is redacted in JSON, strings and inspection', () => {
    const secret = new Secret('hunter2');
    expect(
      `${JSON.stringify({ secret })} ${secret} ${inspect({ secret }, { showHidden: true })}`,
    ).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
  });
});
