import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const emulator = fileURLToPath(new URL('../../kms/emulator.mjs', import.meta.url));

/**
 * The emulator of the AWS KMS API, for local use and tests. Not for production.
 * @param {object} options
 * @param {string} options.dataDir for its master keys and grants
 * @param {number} options.port
 * @param {Readonly<Record<string, import('../../kms/grants.mjs').Grant & { secret: string }>>} options.callers by access key id
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function kmsPlan({ dataDir, port, callers, logPath, childrenDir }) {
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
