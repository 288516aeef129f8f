import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../stack/servers/ports.mjs';
import { probeHttp } from '../stack/servers/probes.mjs';
import { Server } from '../stack/servers/server.mjs';
import { sharedServersOfRun } from '../test/test-run.mjs';

const run = promisify(execFile);
const builder = fileURLToPath(new URL('./build-service.mjs', import.meta.url));

/**
 * A service as it ships, built apart from the workspace's own build.
 * @param {string} service
 * @returns {Promise<string>} its folder, which goes with the test run
 */
export async function buildService(service) {
  const dir = join(sharedServersOfRun().dir, `${service}-${randomBytes(4).toString('hex')}`);
  await run(process.execPath, [builder, service, dir]);
  return dir;
}

/**
 * Brings the schema up to date, as a deployment does before the copies start.
 * @param {string} bundle from `buildService`
 * @param {Record<string, string>} environment
 */
export async function migrateService(bundle, environment) {
  await run(process.execPath, [join(bundle, 'migrate.js')], { env: environment });
}

/**
 * One copy of the service as a process of its own, started and ready. It can be killed, paused and restarted.
 * @param {string} bundle from `buildService`
 * @param {Record<string, string>} environment
 */
export async function startInstance(bundle, environment) {
  const { dir } = sharedServersOfRun();
  const [service = ''] = basename(bundle).split('-');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const copy = new Server({
    name: service,
    url,
    command: process.execPath,
    args: [join(bundle, 'main.js')],
    env: { ...environment, PRIVATE_PORT: String(port) },
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/readyz`),
    logPath: join(dir, `${service}-${port}.log`),
    childrenDir: join(dir, 'children'),
  });
  return copy.start();
}
