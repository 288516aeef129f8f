import { describe, expect, it } from '@jest/globals';
import { readValues, render, type Values } from './rendered-chart.ts';

/** @returns the values that every installation sets, after a change */
function minimal(change: (values: Values) => unknown): Values {
  const values = readValues('minimal');
  change(values);
  return values;
}

/** @returns Helm's message; fails when it renders the values */
async function refusalOf(change: (values: Values) => unknown): Promise<string> {
  try {
    await render(minimal(change));
  } catch (error) {
    return (error as { stderr?: string }).stderr ?? String(error);
  }
  throw new Error('the values were not refused');
}

/** Sets a member by its path. */
const set = (path: string, value: unknown) => (values: Values) => {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = values;
  for (const name of names) at = at[name] ??= {};
  if (value === undefined) delete at[last];
  else at[last] = value;
};

describe('The chart refuses', () => {
  it.each([
    ['a misspelt value', set('replicas', 3), "additional properties 'replicas' not allowed"],
    ['a misspelt value of a service', set('services.auth.replicaCuont', 3), 'replicaCuont'],
    ['a misspelt setting', set('settings.RATE_LIMIT_PER_MINUT', 5), "'RATE_LIMIT_PER_MINUT' not allowed"],
    [
      'a setting of another service',
      set('services.auth.settings.CHUNKS_AT_ONCE_MAX', 8),
      'CHUNKS_AT_ONCE_MAX',
    ],
    ['a setting that the chart sets', set('settings.PROFILE', 'local'), "'PROFILE' not allowed"],
    [
      'a number out of range',
      set('settings.NATS_STREAM_REPLICAS', 7),
      "at '/settings/NATS_STREAM_REPLICAS': maximum: got 7, want 5",
    ],
    ['a text instead of a number', set('settings.RATE_LIMIT_PER_MINUTE', 'many'), 'got string, want integer'],
    [
      'an unknown choice',
      set('settings.LOG_LEVEL', 'verbose'),
      "value must be one of 'trace', 'debug', 'info'",
    ],
    [
      'an origin with a path',
      set('settings.API_ORIGIN', 'https://api.example.com/v1'),
      "at '/settings/API_ORIGIN'",
    ],
    [
      'an origin without TLS',
      set('settings.API_ORIGIN', 'http://api.example.com'),
      "does not match pattern '^https://",
    ],
    ['NATS without TLS', set('settings.NATS_URL', 'nats://nats:4222'), "does not match pattern '^tls://"],
    [
      'shards in one process',
      (values: Values) => Object.assign(values, { mode: 'one', shards: [{ number: 1 }] }),
      'mode: services',
    ],
    [
      'shards beside an earlier release',
      set('shards', [{ number: 1 }]),
      "shards need settings.OLDEST_RELEASE: '0.2'",
    ],
    ['a shard twice', set('shards', [{ number: 1 }, { number: 1 }]), 'shards names a number twice'],
    ['the first shard among the further ones', set('shards', [{ number: 0 }]), 'minimum: got 0, want 1'],
    ['the shards of a service', set('services.sparks.settings.SHARD', 1), 'SHARD'],
    ['an unknown mode', set('mode', 'two'), "at '/mode': value must be one of 'services', 'one'"],
    ['an unknown service', set('services.billing', {}), "additional properties 'billing' not allowed"],
    ['a digest that is none', set('image.digest', 'sha256:abc'), "at '/image/digest'"],
    ['no copy', set('defaults.replicaCount', 0), "at '/defaults/replicaCount': minimum: got 0, want 1"],
    [
      'a secret that a service does not read',
      set('services.auth.secretSettings', ['SMTP_URL']),
      "at '/services/auth/secretSettings/0': value must be one of",
    ],
    [
      'a secret of all services',
      set('settings.REDIS_URL', 'rediss://x'),
      'settings.REDIS_URL is a secret: it belongs in the Secret example-vaultsvc-auth',
    ],
    [
      'a secret of one service',
      set('services.notify.settings.SMTP_URL', 'smtp://x'),
      'services.notify.settings.SMTP_URL is a secret: it belongs in the Secret example-vaultsvc-notify and its name in services.notify.secretSettings',
    ],
    [
      'a missing setting',
      set('settings.OIDC_ISSUER', undefined),
      'settings.OIDC_ISSUER is missing (read by auth; docs/settings.md)',
    ],
    [
      'a missing origin',
      set('settings.FORGE_ORIGIN', undefined),
      'settings.FORGE_ORIGIN is missing (read by auth, forge, gateway, vaults; docs/settings.md)',
    ],
    [
      'one key of KMS for all services',
      set('settings.KMS_KEY_ID', 'alias/one'),
      'set services.<name>.settings.KMS_KEY_ID',
    ],
    [
      'one origin for two purposes',
      set('settings.LINK_ORIGIN', 'https://api.example.com'),
      'must be four different origins',
    ],
    [
      'no store for files',
      set('services.forge.settings', undefined),
      'services.forge.settings needs S3_BUCKET or OBJECTS_DIR, and not both',
    ],
    [
      'one bucket for files and the log',
      set('services.reporting.settings.S3_BUCKET', 'example-files'),
      'the transparency log needs one of its own',
    ],
    ['a proxy that is not trusted', set('ingress.enabled', true), 'settings.TRUSTED_PROXIES is missing'],
    ['routes to no Gateway', set('gatewayApi.enabled', true), 'gatewayApi.parentRefs must name a Gateway'],
    [
      'External Secrets without a store',
      set('secrets.external.enabled', true),
      'secrets.external.secretStoreRef.name must name a store',
    ],
    ['a first account of nobody', set('bootstrap.enabled', true), 'bootstrap needs email and organization'],
    [
      'a scale upside down',
      set('services.auth.autoscaling', { enabled: true, minReplicas: 9 }),
      'autoscaling of auth: minReplicas is above maxReplicas',
    ],
  ])('%s', async (_, change, message) => {
    expect(await refusalOf(change)).toContain(message);
  });

  it('all that is wrong in one message', async () => {
    const message = await refusalOf((values) => {
      set('settings.OIDC_ISSUER', undefined)(values);
      set('ingress.enabled', true)(values);
    });
    expect(message).toContain('settings.OIDC_ISSUER is missing');
    expect(message).toContain('settings.TRUSTED_PROXIES is missing');
  });

  it('secrets without repeating them', async () => {
    const message = await refusalOf(set('settings.REDIS_URL', 'canary-value'));
    expect(message).not.toContain('canary-value');
  });
});
