import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Grant } from '../../kms/grants.ts';
import { probeHttp } from './probes.ts';
import type { ServerPlan } from './server.ts';

const emulator = fileURLToPath(new URL('../../kms/emulator.ts', import.meta.url));

/** The emulator of the AWS KMS API, for local use and tests. Not for production. */
export function kmsPlan({
  dataDir,
  port,
  callers,
  logPath,
  childrenDir,
}: {
  dataDir: string;
  port: number;
  callers: Readonly<Record<string, Grant & { secret: string }>>;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A file, because every user of the machine may read the arguments of a process.
  const grants = join(dataDir, 'grants.json');
  writeFileSync(grants, JSON.stringify(callers), { mode: 0o600 });
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'kms',
    url,
    command: process.execPath,
    args: [
      emulator,
      '--state',
      join(dataDir, 'keys.json'),
      '--grants',
      grants,
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
    ],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/_health`),
    logPath,
    childrenDir,
  };
}
