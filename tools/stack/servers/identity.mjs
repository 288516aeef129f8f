import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const provider = fileURLToPath(new URL('../../identity/provider.mjs', import.meta.url));

/**
 * The identity provider of a local stack, which believes everybody: no production path leads here.
 * @param {object} options
 * @param {string} options.dataDir holds its keys
 * @param {number} options.port
 * @param {string} options.apiOrigin what its sign-in page calls
 * @param {string} options.clientId
 * @param {string} options.redirectUri besides its own page's
 * @param {string} options.trusted the issuer that the API believes; another than this one when it was told so
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function identityPlan({ dataDir, port, logPath, childrenDir, ...known }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const url = `http://127.0.0.1:${port}`;
  const client = ['--client-id', known.clientId, '--redirect-uri', known.redirectUri];
  const others = ['--api', known.apiOrigin, '--trusted', known.trusted];
  return {
    name: 'identity',
    url,
    command: process.execPath,
    args: [provider, '--state', join(dataDir, 'keys.json'), '--port', String(port), ...client, ...others],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/.well-known/openid-configuration`),
    logPath,
    childrenDir,
  };
}
