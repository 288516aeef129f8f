import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Caller } from '../../transit/callers.ts';
import { probeHttp } from './probes.ts';
import type { ServerPlan } from './server.ts';

const emulator = fileURLToPath(new URL('../../transit/emulator.ts', import.meta.url));

/** The emulator of the transit engine of Vault, for tests. Not for production. */
export function transitPlan({
  dataDir,
  port,
  callers,
  logPath,
  childrenDir,
}: {
  dataDir: string;
  port: number;
  callers: Readonly<Record<string, Caller>>;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A file, because every user of the machine may read the arguments of a process.
  const file = join(dataDir, 'callers.json');
  writeFileSync(file, JSON.stringify(callers), { mode: 0o600 });
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'transit',
    url,
    command: process.execPath,
    args: [emulator, '--state', join(dataDir, 'keys.json'), '--callers', file, '--port', String(port)],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/v1/sys/health`),
    logPath,
    childrenDir,
  };
}
