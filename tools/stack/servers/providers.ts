import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.ts';
import type { ServerPlan } from './server.ts';

const program = fileURLToPath(new URL('../../integrations/server.ts', import.meta.url));

/** The emulated providers of the integrations: a chat platform and two CRMs. Of connections they keep the tokens. */
export function providersPlan({
  dataDir,
  ports,
  env,
  logPath,
  childrenDir,
}: {
  dataDir: string;
  ports: { chat: number; crma: number; crmb: number };
  env: Record<string, string>;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const originOf = (port: number) => `http://127.0.0.1:${port}`;
  const options = Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
  return {
    name: 'providers',
    url: originOf(ports.chat),
    command: process.execPath,
    args: [program, '--state', dataDir, ...options],
    env,
    stopSignal: 'SIGTERM',
    probe: () => Promise.all(Object.values(ports).map((port) => probeHttp(`${originOf(port)}/_calls`))),
    logPath,
    childrenDir,
  };
}
