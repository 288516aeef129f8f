import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@vaultsvc/testing/waiting';
import { freePort } from './servers/ports.ts';
import { probeHttp } from './servers/probes.ts';
import { Server } from './servers/server.ts';
import { Supervisor } from './supervisor.ts';

let folder: string;
let server: InstanceType<typeof Server>;
let supervisor: InstanceType<typeof Supervisor>;
let restarts: EventEmitter;
let reports: string[];

function answering(port: number): string {
  return `require('http').createServer((_, response) => response.end()).listen(${port}, '127.0.0.1')`;
}

async function planOf(script: (port: number) => string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'program',
    url,
    command: process.execPath,
    args: ['-e', script(port)],
    stopSignal: 'SIGTERM' as const,
    probe: () => probeHttp(url),
    logPath: join(folder, 'program.log'),
    childrenDir: join(folder, 'children'),
  };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-supervisor-'));
  restarts = new EventEmitter();
  reports = [];
  supervisor = new Supervisor({
    onEvent: (text) => {
      reports.push(text);
      restarts.emit('report');
    },
    onChange: () => restarts.emit('restart'),
  });
  server = new Server(await planOf(answering));
});

afterEach(async () => {
  supervisor.stop();
  await server.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Waits until the supervisor has made this many reports. */
async function reported(count: number): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  while (reports.length < count) await once(restarts, 'report', { signal });
}

describe('A program of the stack', () => {
  it('MISC-01: is restarted within 5 s after a kill, with another pid', async () => {
    await server.start();
    supervisor.watch(server);
    const before = server.pid;
    const restarted = once(restarts, 'restart', { signal: AbortSignal.timeout(5000) });
    process.kill(before, 'SIGKILL');
    await restarted;
    expect(server.pid).not.toBe(before);
    expect(server.pid).toBeGreaterThan(0);
  });

  it('MISC-01: is reported when it ends, and again when it is ready, with the time between', async () => {
    await server.start();
    supervisor.watch(server);
    process.kill(server.pid, 'SIGKILL');
    await reported(2);
    expect(reports).toEqual([
      'program ended (SIGKILL), restarting …',
      expect.stringMatching(/^program is back after \d+\.\d s$/),
    ]);
    await until(() => probeHttp(server.url).then(() => true));
  });

  it('is reported with the path of its log while it keeps exiting', async () => {
    server = new Server(await planOf(() => 'process.exit(7)'));
    supervisor.watch(server);
    server.launch();
    await reported(3);
    expect(reports).toEqual([
      'program ended (exit code 7), restarting …',
      'program ended (exit code 7), restarting …',
      `program ended 3 times in a row (exit code 7), restarting … Its log: ${join(folder, 'program.log')}`,
    ]);
  });

  it('is restarted repeatedly while it keeps exiting', async () => {
    server = new Server(await planOf(() => 'process.exit(7)'));
    supervisor.watch(server);
    server.launch();
    for (let attempt = 0; attempt < 3; attempt++)
      await once(restarts, 'restart', { signal: AbortSignal.timeout(60_000) });
  });

  it('is not restarted after a requested stop', async () => {
    await server.start();
    supervisor.watch(server);
    await server.stop();
    expect(server.pid).toBe(0);
    // The first restart after an unrequested exit has no delay, so one tick of the timers would show it.
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(server.pid).toBe(0);
  });

  it('is reported with the last lines and the path of its log when it exits while starting', async () => {
    server = new Server(await planOf(() => `console.error('SETTING is missing'); process.exit(1)`));
    await expect(server.start()).rejects.toThrow(
      /program ended while starting\n +SETTING is missing\n +\(.*program\.log\)/,
    );
  });

  it('is reported at once when it cannot be started', async () => {
    server = new Server({ ...(await planOf(answering)), command: join(folder, 'absent') });
    await expect(server.start()).rejects.toThrow(/program ended while starting/);
  });
});
