import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const program = fileURLToPath(new URL('../../integrations/server.mjs', import.meta.url));

/**
 * The emulated providers of the integrations: a chat platform and two CRMs. They store nothing on disk.
 * @param {object} options
 * @param {{ chat: number, crma: number, crmb: number }} options.ports
 * @param {Record<string, string>} options.env the credentials of the apps
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function providersPlan({ ports, env, logPath, childrenDir }) {
  const urls = Object.values(ports).map((port) => `http://127.0.0.1:${port}`);
  const options = Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
  return {
    name: 'providers',
    url: urls[0],
    command: process.execPath,
    args: [program, ...options],
    env,
    stopSignal: 'SIGTERM',
    probe: () => Promise.all(urls.map((url) => probeHttp(`${url}/_calls`))),
    logPath,
    childrenDir,
  };
}
