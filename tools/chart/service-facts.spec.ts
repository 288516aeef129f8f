import { describe, expect, it } from '@jest/globals';
import { serviceConfigs } from '../docs/settings.ts';
import { readTopology } from '../provision/topology.ts';
import { chartServices, isSecret, settingsOfOneService } from './service-facts.ts';
import { schemaOf } from './setting-schema.ts';
import { valuesSchema } from './values-schema.ts';

const facts = chartServices();
const configs = serviceConfigs();

const setting = (parser: string, rule = '') => ({
  name: 'X',
  fallback: '',
  sentence: '',
  type: '',
  parser,
  rule,
});

describe('What the chart knows of the services', () => {
  it('is known of every service that sends messages, all of which reach NATS', () => {
    expect([...facts.keys()].sort()).toEqual(Object.keys(readTopology()).sort());
    for (const { uses } of facts.values()) expect(uses).toContain('nats');
  });

  it('takes for a secret what is one', () => {
    const secrets = new Set(
      [...configs.values()]
        .flat()
        .filter(isSecret)
        .map(({ name }) => name),
    );
    for (const name of [
      'DATABASE_URL',
      'REDIS_URL',
      'CALL_KEYS',
      'NATS_NKEY_SEED',
      'AUDIT_LOG_KEYS',
      'AUDIT_SINKS',
      'SMTP_URL',
      'FCM_CREDENTIALS',
      'STRIPE_SECRET_KEY',
      'WEB_RISK_API_KEY',
    ])
      expect(secrets).toContain(name);
    for (const name of ['NATS_URL', 'KMS_REGION', 'VAPID_PUBLIC_KEY', 'STRIPE_PUBLISHABLE_KEY'])
      expect(secrets).not.toContain(name);
    // Names that say so. A public key is none, and an id of a key neither.
    const suspicious = [...configs.values()]
      .flat()
      .filter(
        ({ name }) =>
          /(SECRET|PASSWORD|PRIVATE_KEY|SEED|TOKEN)(?!.*_FILE$)/.test(name) && !/_URL$/.test(name),
      );
    for (const { name } of suspicious) expect([name, secrets.has(name)]).toEqual([name, true]);
  });

  it('has a server for each address that a service is configured with', () => {
    const ofPeople =
      /^(API|LINK|FILES|FORGE)_ORIGIN$|^(SIGN_IN_URL|BILLING_RETURN_URL|OIDC_REDIRECT_URI|CRMA_AUTHORIZE_ORIGIN)$/;
    for (const [service, settings] of configs) {
      const outward = settings.filter(
        ({ name }) => /_(URL|ENDPOINT|ISSUER|ORIGIN)$/.test(name) && !ofPeople.test(name),
      );
      const known = {
        NATS: 'nats',
        DATABASE: 'postgresql',
        KEYS: 'postgresql',
        REDIS: 'redis',
        KMS: 'kms',
        S3: 'objects',
        SMTP: 'smtp',
        OIDC: 'identity',
        TRACES: 'traces',
      } as Record<string, string>;
      for (const { name } of outward) {
        if (name === 'AUDIT_LOG_ORIGIN') continue; // a name
        expect([service, name, facts.get(service)?.uses]).toEqual([
          service,
          name,
          expect.arrayContaining([known[name.split('_')[0] ?? ''] ?? 'internet']),
        ]);
      }
    }
  });

  it('keeps apart what must differ between services', () => {
    expect(settingsOfOneService()).toEqual(['KMS_KEY_ID', 'S3_BUCKET', 'SHUTDOWN_GRACE_MS']);
  });

  it.each([
    [setting('integer({ min: 64 * 1_048_576 })'), { type: 'integer', minimum: 67_108_864 }],
    [setting('integer({ max: 1_200 })'), { type: 'integer', minimum: 0, maximum: 1_200 }],
    [setting(`oneOf('manual', 'stripe')`), { enum: ['manual', 'stripe'] }],
    [setting('flag'), { type: 'boolean' }],
    [setting('text', 'encryptedHttp'), { type: 'string', pattern: '^https://' }],
    [setting('mailFrom'), { type: 'string' }],
  ])('reads the values of a setting from %j', (declared, schema) => {
    expect(schemaOf(declared)).toEqual(schema);
  });

  it('refuses values that are no literals, instead of a schema that no value satisfies', () => {
    expect(() => schemaOf(setting('oneOf(...releases)'))).toThrow('...releases must be a literal');
  });

  it('has a schema with lines that can be reviewed', () => {
    const lines = valuesSchema().split('\n');
    expect(JSON.parse(valuesSchema()).$defs.settings.properties.NATS_STREAM_REPLICAS).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 5,
    });
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(140);
    expect(lines.length).toBeLessThan(800);
  });
});
