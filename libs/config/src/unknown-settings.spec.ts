import { describe, expect, it } from '@jest/globals';
import { unknownSettings } from './index.js';

describe('unknownSettings', () => {
  it.each([
    ['RATE_LIMIT_PER_MINUT', 'RATE_LIMIT_PER_MINUTE'],
    ['RATE_LIMIT_PER_MINTUE', 'RATE_LIMIT_PER_MINUTE'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_POOL_SIZE', 'DATABASE_POOL_MAX'],
    ['DATABSE_URL_FILE', 'DATABASE_URL'],
  ])('names the setting that %s was probably meant to be: %s', (name, nearest) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([{ name, nearest }]);
  });

  it('names no setting of another service, no file of a setting, and no variable of other programs', () => {
    const others = [
      ...[
        'PATH',
        'HOME',
        'HOSTNAME',
        'NODE_ENV',
        'NODE_OPTIONS',
        'HTTP_PROXY',
        'NO_PROXY',
        'TZ',
        'LANG',
        'PWD',
      ],
      ...[
        'NATS_PORT',
        'NATS_SERVICE_HOST',
        'NATS_PORT_4222_TCP_ADDR',
        'REDIS_SERVICE_PORT',
        'KUBERNETES_PORT',
      ],
      ...['AWS_REGION', 'AWS_SESSION_TOKEN', 'NODE_EXTRA_CA_CERTS', 'MALLOC_ARENA_MAX', 'PGSSLMODE'],
      ...['DATABASE_URL', 'DATABASE_URL_FILE', 'OBJECTS_DIR', 'SMTP_URL', 'URL_BLOCKLIST_FILE'],
    ];
    expect(unknownSettings(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });
});
