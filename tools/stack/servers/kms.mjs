import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const emulator = fileURLToPath(new URL('../../kms/emulator.mjs', import.meta.url));

/** The smallest call of the API, for the readiness probe. */
const oneByte = {
  method: 'POST',
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.GenerateRandom' },
  body: '{"NumberOfBytes":1}',
};

/**
 * The emulator of the AWS KMS API, for local use and tests. Not for production.
 * @param {object} options
 * @param {string} options.dataDir for its master keys
 * @param {number} options.port
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function kmsPlan({ dataDir, port, logPath, childrenDir }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'kms',
    url,
    command: process.execPath,
    args: [emulator, '--state', join(dataDir, 'keys.json'), '--port', String(port), '--host', '127.0.0.1'],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(url, oneByte),
    logPath,
    childrenDir,
  };
}
