import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { loadConfig, ServiceConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource, migrate } from '@vaultsvc/database';
import { serviceStorage } from '@vaultsvc/messaging';
import { startNats, startPostgres, type TestServer } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { wireSettings } from '@vaultsvc/testing/wire';
import { freePort } from '../../../tools/stack/servers/ports.ts';
import { defineService, ReadinessChecks, startService, type RunningService } from './index.js';

/** Something of the service's own that must work, as Redis is elsewhere. */
@Injectable()
class Lamp implements OnModuleInit {
  burning = true;
  constructor(private readonly readiness: ReadinessChecks) {}

  onModuleInit(): void {
    this.readiness.add('lamp', async () => {
      if (!this.burning) throw new Error('it is dark');
    });
  }
}
@Module({ providers: [Lamp] })
class DeskModule {}
const storage = serviceStorage();
const desk = defineService({ name: 'desk', config: StatefulConfig, module: DeskModule, storage });

let postgres: TestServer;
let nats: TestServer;
let service: RunningService;
let address: string;

beforeAll(async () => {
  [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
  const config = loadConfig(StatefulConfig, await environment());
  const source = await createMigrationSource(config, storage).initialize();
  try {
    await migrate(source, config.DATABASE_SCHEMA);
  } finally {
    await source.destroy();
  }
  service = await startService(desk, config);
  address = `http://127.0.0.1:${config.PRIVATE_PORT}`;
});
afterAll(async () => {
  await service.stop();
  await Promise.all([postgres.stop(), nats.stop()]);
});

async function environment(): Promise<Record<string, string>> {
  return {
    LOG_LEVEL: 'silent',
    NATS_URL: nats.url,
    PROFILE: 'local',
    ...wireSettings('desk'),
    DATABASE_URL: postgres.url,
    DATABASE_SCHEMA: 'public',
    PRIVATE_PORT: String(await freePort()),
  };
}

async function readiness(at = address): Promise<{
  status: number;
  body: { status: string; checks: Record<string, boolean> };
}> {
  const response = await fetch(`${at}/readyz`);
  return { status: response.status, body: (await response.json()) as never };
}

async function untilReady(status: 200 | 503): Promise<Record<string, boolean>> {
  const answer = await eventually(readiness, (answer) => answer.status === status);
  return answer.body.checks;
}

describe('OPEN-56: /readyz of the private port', () => {
  it('lists every check and answers 200 when all of them pass', async () => {
    const { status, body } = await readiness();
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ready', checks: { nats: true, postgres: true, lamp: true } });
  });

  it("answers 503 while one of the service's own checks fails", async () => {
    service.context.get(Lamp).burning = false;
    expect(await readiness()).toEqual({
      status: 503,
      body: { status: 'not ready', checks: { nats: true, postgres: true, lamp: false } },
    });
    service.context.get(Lamp).burning = true;
    expect((await readiness()).status).toBe(200);
  });

  it('ADR 11: with the rule `serving` lists failed checks with 200, and answers 503 after `leave`', async () => {
    const config = loadConfig(StatefulConfig, await environment());
    const serving = await startService({ ...desk, readiness: 'serving' }, config);
    const ask = () => readiness(`http://127.0.0.1:${config.PRIVATE_PORT}`);
    serving.context.get(Lamp).burning = false;
    const checks = { nats: true, postgres: true, lamp: false };
    expect(await ask()).toEqual({ status: 200, body: { status: 'ready', checks } });
    serving.leave();
    expect(await ask()).toEqual({ status: 503, body: { status: 'not ready', checks } });
    await serving.stop();
  });

  it('answers 503 while PostgreSQL is down, and 200 again without a restart of the service', async () => {
    await postgres.kill('SIGKILL');
    expect(await untilReady(503)).toMatchObject({ nats: true, postgres: false });
    await postgres.restart();
    expect(await untilReady(200)).toMatchObject({ postgres: true });
  });

  it('answers 503 within the timeout of a probe while PostgreSQL is frozen', async () => {
    postgres.pause();
    const times: number[] = [];
    for (let probe = 0; probe < 3; probe++) {
      const began = performance.now();
      expect((await readiness()).body.checks).toMatchObject({ postgres: false });
      times.push(performance.now() - began);
    }
    expect(Math.min(...times)).toBeLessThan(2_000); // one that waited for PostgreSQL would take five seconds or six
    postgres.resume();
    await untilReady(200);
  });

  it('answers 503 while NATS is down, and 200 again without a restart of the service', async () => {
    await nats.kill('SIGKILL');
    expect(await untilReady(503)).toMatchObject({ nats: false, postgres: true });
    await nats.restart();
    expect(await untilReady(200)).toMatchObject({ nats: true });
  });
});

describe('OPEN-56: the private port', () => {
  it('answers /healthz with 200 while the process lives, whatever its dependencies do', async () => {
    const response = await fetch(`${address}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('serves /metrics as Prometheus text with the duration of every operation, by name and outcome', async () => {
    const response = await fetch(`${address}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('# TYPE vaultsvc_operation_duration_seconds histogram');
  });

  it('OPEN-55: on a loopback address answers 421 to a foreign host name (DNS rebinding)', async () => {
    const { hostname, port } = new URL(address);
    const statusFor = async (host: string) => {
      const asked = request({ hostname, port, path: '/metrics', headers: { host } }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusFor('evil.test')).toBe(421);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
  });

  it('answers 404 to any other path, and forbids caching', async () => {
    const response = await fetch(`${address}/`);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('A service that cannot start', () => {
  it('names the port that another process uses', async () => {
    const config = loadConfig(StatefulConfig, {
      ...(await environment()),
      PRIVATE_PORT: new URL(address).port,
    });
    await expect(startService(desk, config)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('names the config class that lacks the settings of a database', async () => {
    const wrong = { ...desk, config: ServiceConfig };
    await expect(startService(wrong, loadConfig(ServiceConfig, await environment()))).rejects.toThrow(
      /desk declares storage, so its config class must extend StatefulConfig/,
    );
  });
});
