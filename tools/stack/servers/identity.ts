import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.ts';
import type { ServerPlan } from './server.ts';

const provider = fileURLToPath(new URL('../../identity/provider.ts', import.meta.url));

/** The identity provider of a local stack, which authenticates any address without a proof. Not for production. */
export function identityPlan({
  dataDir,
  port,
  logPath,
  childrenDir,
  ...client
}: {
  dataDir: string;
  port: number;
  apiOrigin: string;
  clientId: string;
  redirectUri: string;
  trusted: string;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const url = `http://127.0.0.1:${port}`;
  const clientArgs = ['--client-id', client.clientId, '--redirect-uri', client.redirectUri];
  const apiArgs = ['--api', client.apiOrigin, '--trusted', client.trusted];
  return {
    name: 'identity',
    url,
    command: process.execPath,
    args: [
      provider,
      '--state',
      join(dataDir, 'keys.json'),
      '--port',
      String(port),
      ...clientArgs,
      ...apiArgs,
    ],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/.well-known/openid-configuration`),
    logPath,
    childrenDir,
  };
}
