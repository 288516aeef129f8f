import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../stack/servers/ports.ts';
import { probeHttp } from '../stack/servers/probes.ts';
import { ownerOf } from '../stack/servers/schema.ts';
import { Server } from '../stack/servers/server.ts';
import { sharedServersOfRun } from '../test/test-run.ts';

const run = promisify(execFile);
const builder = fileURLToPath(new URL('./build-service.ts', import.meta.url));

/**
 * Bundles a service as for deployment, outside the workspace's `dist`.
 * @returns the folder of the bundle, which is deleted with the test run
 */
export async function buildService(service: string): Promise<string> {
  const dir = join(sharedServersOfRun().dir, `${service}-${randomBytes(4).toString('hex')}`);
  await run(process.execPath, [builder, service, dir]);
  return dir;
}

/**
 * Runs the migrations as the owner of the tables, as a deployment does before it starts the instances.
 * @param bundle from `buildService`
 */
export async function migrateService(bundle: string, environment: Record<string, string>) {
  const urls = Object.entries(environment).filter(([name]) => name.endsWith('DATABASE_URL'));
  const ofOwner = Object.fromEntries(urls.map(([name, url]) => [name, ownerUrlOf(url)]));
  await run(process.execPath, [join(bundle, 'migrate.js')], { env: { ...environment, ...ofOwner } });
}

/** @param databaseUrl of the role of a service */
function ownerUrlOf(databaseUrl: string) {
  if (databaseUrl.startsWith('postgres://postgres@')) return databaseUrl; // the superuser of servers of the test alone
  const url = new URL(databaseUrl);
  url.username = ownerOf(url.username);
  return url.href;
}

/**
 * Starts an instance of the service as a process and waits until it is ready. It can be killed, paused and restarted.
 * @param bundle from `buildService`
 */
export async function startInstance(bundle: string, environment: Record<string, string>) {
  const { dir } = sharedServersOfRun();
  const [service = ''] = basename(bundle).split('-');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const instance = new Server({
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
  return instance.start();
}
