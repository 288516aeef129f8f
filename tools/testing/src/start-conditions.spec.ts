import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { inspectRedis, startKms, startNats, type RedisInspector } from '@vaultsvc/testing/servers';
import { connectInspector } from '@vaultsvc/testing/wire';
import { eventually } from '@vaultsvc/testing/waiting';
import { decode } from '@vaultsvc/contracts';
import { createSpark, NewSpark } from '@vaultsvc/contracts/sparks';
import { auth } from '../../../apps/auth/src/service-definition.js';
import { gateway } from '../../../apps/gateway/src/service-definition.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { freePort } from '../../stack/servers/ports.ts';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let redis: RedisInspector;
beforeAll(async () => void (redis = await inspectRedis()));
afterAll(() => redis.close());

async function privatePort() {
  const port = await freePort();
  const readiness = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    const body = (await response.json()) as { waiting_for?: string[]; checks: object };
    return { ...body, status: response.status };
  };
  return { settings: { PRIVATE_PORT: String(port) }, readiness };
}

describe('OPEN-45 OPEN-56: a service that has not reached key management', () => {
  it('is not ready, names it, and takes no calls, until key management has answered once', async () => {
    const kms = await startKms();
    await kms.kill('SIGKILL');
    const { settings, readiness } = await privatePort();
    const service = await harness.start(sparks, { ...settings, KMS_ENDPOINT: kms.url });
    const create = () =>
      harness.bus.call(createSpark, { body: decode(NewSpark, { payload: 'x' }) }, accountContext());
    expect(await readiness()).toMatchObject({ status: 503, waiting_for: ['kms'] });
    await expect(create()).rejects.toMatchObject({ cause: { service: 'sparks', kind: 'absent' } });

    await kms.restart();
    const ready = await eventually(readiness, ({ status }) => status === 200);
    expect(ready).not.toHaveProperty('waiting_for');
    expect(await create()).toMatchObject({ spark_id: expect.any(String) });

    await kms.kill('SIGKILL'); // an outage later is no reason to leave
    expect((await readiness()).status).toBe(200);
    await Promise.all([service.stop(), kms.stop()]);
  });
});

describe('OPEN-56: a service whose events NATS cannot keep yet', () => {
  it('is not ready, names them, and takes no calls, until NATS can', async () => {
    const nats = await startNats();
    const inspector = await connectInspector(nats.url);
    const manager = await jetstreamManager(inspector);
    // As in a cluster without a leader, the stream of events cannot be made: another one has its subjects.
    await manager.streams.add({ name: 'OTHER', subjects: ['evt.>'] });
    const { settings, readiness } = await privatePort();
    const service = await harness.start(reporting, { ...settings, NATS_URL: nats.url });
    expect(await readiness()).toMatchObject({ status: 503, waiting_for: ['events'] });

    await manager.streams.delete('OTHER');
    const ready = await eventually(readiness, ({ status }) => status === 200);
    expect(ready).not.toHaveProperty('waiting_for');
    await service.stop();
    await inspector.close();
    await nats.stop();
  });
});

describe('OPEN-51 OPEN-56: the keys that services have in common', () => {
  const other = () => randomBytes(32).toString('base64');
  const recorded = (name: string) =>
    eventually(
      () => redis.command('GET', name),
      (text) => text !== null,
    );

  it.each([
    ['CREDENTIAL_RECORD_KEY', auth, 'cred:shared-key'],
    ['POOL_SNAPSHOT_KEY', reporting, 'funds:shared-key'],
  ] as const)(
    '%s: a gateway with another one is not ready, and names it',
    async (setting, writer, record) => {
      const service = await harness.start(writer as typeof auth);
      await recorded(record);
      const wrong = await privatePort();
      const failing = await harness.start(gateway, { ...wrong.settings, [setting]: other() });
      expect(await wrong.readiness()).toMatchObject({
        status: 503,
        waiting_for: [setting],
        checks: { [setting]: false, redis: true, nats: true },
      });
      const right = await privatePort();
      const working = await harness.start(gateway, right.settings);
      expect(await right.readiness()).toMatchObject({ status: 200, checks: { [setting]: true } });
      await Promise.all([failing.stop(), working.stop(), service.stop()]);
    },
  );

  it('are not recorded by a second auth with another one, which takes no calls', async () => {
    const service = await harness.start(auth);
    await recorded('cred:shared-key');
    const { settings, readiness } = await privatePort();
    const second = await harness.start(auth, { ...settings, CREDENTIAL_RECORD_KEY: other() });
    expect(await readiness()).toMatchObject({ status: 503, waiting_for: ['CREDENTIAL_RECORD_KEY'] });
    const right = await privatePort();
    const working = await harness.start(gateway, right.settings);
    expect((await right.readiness()).status).toBe(200);
    await Promise.all([service.stop(), second.stop(), working.stop()]);
  });

  it('are equal at every step of a rotation: one key, two in any order, the new one', async () => {
    const { CREDENTIAL_RECORD_KEY: old = '' } = await harness.environment('auth');
    const next = other();
    const steps = [
      [old, `${old},${next}`],
      [`${old},${next}`, `${next},${old}`],
      [`${next},${old}`, next],
    ];
    for (const [before = '', after = ''] of steps)
      for (const [ofAuth, ofGateway] of [
        [before, after],
        [after, before],
      ]) {
        await redis.command('DEL', 'cred:shared-key');
        const service = await harness.start(auth, { CREDENTIAL_RECORD_KEY: ofAuth as string });
        await recorded('cred:shared-key');
        const { settings, readiness } = await privatePort();
        const reader = await harness.start(gateway, {
          ...settings,
          CREDENTIAL_RECORD_KEY: ofGateway as string,
        });
        expect((await readiness()).status).toBe(200);
        await Promise.all([service.stop(), reader.stop()]);
      }
    await redis.command('DEL', 'cred:shared-key');
  });
});
