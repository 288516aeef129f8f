import { describe, expect, it } from '@jest/globals';
import { loadConfig, ServiceConfig } from '@vaultsvc/config';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { connectNats } from './index.js';
import { lackOf, weaknessOf } from './nats-server.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const good = { version: '2.10.23', jetstream: true, headers: true, max_payload: 16 * 1_024 * 1_024 };

describe('A NATS server', () => {
  it('that cannot be reached is named with its address', async () => {
    const environment = await harness.environment('gateway');
    const config = loadConfig(ServiceConfig, { ...environment, NATS_URL: 'nats://user:hunter2@127.0.0.1:1' });
    const error: unknown = await connectNats(config, 'gateway').catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/^NatsUnusable: NATS at nats:\/\/127\.0\.0\.1:1: .*refused/);
    expect(String(error)).not.toContain('hunter2');
  });

  it.each([
    [{ jetstream: false }, 'JetStream is not enabled'],
    [{ headers: false }, 'no headers'],
    [{ max_payload: 1_048_576 }, 'max_payload is 1048576, and must be at least 16777216'],
  ])('with %j is refused, naming what it lacks', (facts, words) => {
    expect(lackOf({ ...good, ...facts })).toContain(words);
  });

  it.each(['2.9.10', '2.10.22', '1.99.99'])('of release %s is used, naming what it lacks', (version) => {
    expect(weaknessOf({ ...good, version })).toContain('lacks sync_interval');
  });

  it.each(['2.10.23', '2.10.24', '2.11.0-RC.1', '2.12.1', '3.0.0'])(
    'of release %s lacks nothing',
    (version) => {
      expect([lackOf({ ...good, version }), weaknessOf({ ...good, version })]).toEqual([
        undefined,
        undefined,
      ]);
    },
  );
});
