import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const program = fileURLToPath(new URL('../../integrations/server.mjs', import.meta.url));

/**
 * The emulated providers of the integrations: a chat platform and two CRMs. Of connections they keep the tokens.
 * @param {object} options
 * @param {string} options.dataDir
 * @param {{ chat: number, crma: number, crmb: number }} options.ports
 * @param {Record<string, string>} options.env the credentials of the apps
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function providersPlan({ dataDir, ports, env, logPath, childrenDir }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const urls = Object.values(ports).map((port) => `http://127.0.0.1:${port}`);
  const options = Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
  return {
    name: 'providers',
    url: urls[0],
    command: process.execPath,
    args: [program, '--state', dataDir, ...options],
    env,
    stopSignal: 'SIGTERM',
    probe: () => Promise.all(urls.map((url) => probeHttp(`${url}/_calls`))),
    logPath,
    childrenDir,
  };
}
