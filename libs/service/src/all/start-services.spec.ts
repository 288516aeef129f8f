import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import { currentService } from '@vaultsvc/telemetry';
import { startNats, type TestServer } from '@vaultsvc/testing/servers';
import { wireSettings } from '@vaultsvc/testing/wire';
import { freePort } from '../../../../tools/stack/servers/ports.ts';
import { defineService, ReadinessChecks, type ServiceDefinition } from '../index.js';
import type { RunningProcess } from '../run-until-signal.js';
import { loadConfigs, startServices } from './index.js';

/** What happens in the services, in this order. */
const events: string[] = [];
let isLampBurning = true;

@Injectable()
class Front implements BeforeApplicationShutdown {
  async beforeApplicationShutdown(): Promise<void> {
    events.push('front stops');
    await new Promise((resolve) => setImmediate(resolve));
    events.push('front stopped');
  }
}

@Injectable()
class Desk implements OnModuleInit, BeforeApplicationShutdown {
  constructor(private readonly readiness: ReadinessChecks) {}

  onModuleInit(): void {
    this.readiness.add('lamp', async () => {
      if (!isLampBurning) throw new Error('it is dark');
    });
  }
  beforeApplicationShutdown(): void {
    events.push('desk stops');
  }
}

/** Runs later than the start, as jobs do. */
@Injectable()
class Clock implements OnModuleInit {
  static readonly ticked: Promise<string | undefined>[] = [];

  onModuleInit(): void {
    Clock.ticked.push(new Promise((resolve) => setTimeout(() => resolve(currentService()), 1)));
    new Logger('clock').log('set');
  }
}

@Module({ providers: [Front, Clock] })
class FrontModule {}
@Module({ providers: [Desk, Clock] })
class DeskModule {}

const definitions = [
  defineService({ name: 'gateway', config: ServiceConfig, module: FrontModule }),
  defineService({ name: 'sparks', config: ServiceConfig, module: DeskModule }),
] as readonly ServiceDefinition[];

let nats: TestServer;
let running: RunningProcess;
let address: string;

beforeAll(async () => {
  nats = await startNats();
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const environment = {
    LOG_LEVEL: 'silent',
    NATS_URL: nats.url,
    PROFILE: 'local',
    ...wireSettings('stranger'),
    PRIVATE_PORT: String(port),
    GATEWAY_SHUTDOWN_DELAY_MS: '1',
    SHUTDOWN_DELAY_MS: '2',
    SPARKS_SHUTDOWN_GRACE_MS: '90000',
  };
  running = await startServices('all', loadConfigs(definitions, environment));
});
afterAll(async () => {
  await running.service.stop();
  await nats.stop();
});

describe('Services of one process', () => {
  it('share the private port, whose readiness names each check by its service', async () => {
    const ready = await fetch(`${address}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { 'gateway.nats': true, 'sparks.nats': true, 'sparks.lamp': true } },
    ]);
    isLampBurning = false;
    const dark = await fetch(`${address}/readyz`);
    expect([dark.status, await dark.json()]).toMatchObject([
      503,
      { checks: { 'gateway.nats': true, 'sparks.nats': true, 'sparks.lamp': false } },
    ]);
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toContain('vaultsvc_ready{service="gateway"} 1');
    expect(metrics).toContain('vaultsvc_ready{service="sparks"} 0');
    isLampBurning = true;
  });

  it('know by which of them code was started, also in timers: log lines name it', async () => {
    expect((await Promise.all(Clock.ticked)).toSorted()).toEqual(['gateway', 'sparks']);
    expect(currentService()).toBeUndefined();
  });

  it('have the longest delay and grace of all', () => {
    expect(running.times).toEqual({ SHUTDOWN_DELAY_MS: 2, SHUTDOWN_GRACE_MS: 90_000 });
  });

  it('become unready together, and stop one after the other in the given order', async () => {
    running.service.leave();
    expect((await fetch(`${address}/readyz`)).status).toBe(503);
    await running.service.stop();
    expect(events).toEqual(['front stops', 'front stopped', 'desk stops']);
  });
});
