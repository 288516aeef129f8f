import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const provider = fileURLToPath(new URL('../../identity/provider.mjs', import.meta.url));

/**
 * The identity provider of a local stack, which authenticates any address without a proof. Not for production.
 * @param {object} options
 * @param {string} options.dataDir holds its keys
 * @param {number} options.port
 * @param {string} options.apiOrigin the API that its sign-in page calls
 * @param {string} options.clientId
 * @param {string} options.redirectUri in addition to that of its own page
 * @param {string} options.trusted the issuer that the API trusts; another one if `OIDC_ISSUER` is set
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function identityPlan({ dataDir, port, logPath, childrenDir, ...client }) {
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
