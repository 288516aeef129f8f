import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOfAll, migrationEnvironment, serviceEnvironment } from './environment.ts';
import { instanceName, instancesOf, type Instance } from './instances.ts';
import type { Secrets } from './secrets.ts';
import { forgetChild, recordChild } from './servers/children.ts';
import { probeHttp } from './servers/probes.ts';
import { Server, lastLines, type ServerPlan } from './servers/server.ts';
import { allServices, shardedServices, statefulServices, workspace, type Settings } from './settings.ts';
import { ofSecondShard } from './stack-ports.ts';

/**
 * As in the image, a young generation of a fixed size and no `__proto__`, against prototype pollution. Half the image's size and
 * few arenas of malloc, because eight services share the machine: 854 MB after the start instead of 958.
 */
export const nodeFlags = ['--max-semi-space-size=4', '--disable-proto=delete'];
const mallocArenas = { MALLOC_ARENA_MAX: '2' };

/** Concurrent migrations. They are bound by the processor, so more would not be faster. */
const migrationsAtOnce = 3;

export function programPath({ dist }: Settings, service: string, program: string) {
  return join(workspace, 'apps', service, dist, `${program}.js`);
}

/**
 * The eight services, not yet started; or the one process that runs all of them.
 * @param given settings of the services, by default from the environment
 */
export function prepareServices(
  settings: Settings,
  secrets: Secrets,
  given: Readonly<Record<string, string | undefined>> = process.env,
): Server[] {
  return instancesOf(settings).map((instance) => new Server(servicePlan(instance, secrets, given)));
}

function servicePlan(
  { name: instance, service: name, settings }: Instance,
  secrets: Secrets,
  given: Readonly<Record<string, string | undefined>>,
): ServerPlan {
  const environmentFor = settings.isOne ? environmentOfAll : serviceEnvironment;
  const url = `http://127.0.0.1:${settings.ports.private[settings.isOne ? 'gateway' : name]}`;
  return {
    name: instance,
    url,
    command: process.execPath,
    args: [...nodeFlags, ...importFlags(name), programPath(settings, name, 'main')],
    cwd: workspace,
    env: { ...mallocArenas, ...environmentFor(name, settings, secrets, given) },
    stopSignal: 'SIGTERM',
    probe: () =>
      Promise.all([`${url}/readyz`, ...pagesOf(name, settings.ports)].map((page) => probeHttp(page))),
    logPath: join(settings.paths.logs, `${instance}.log`),
    childrenDir: settings.paths.children,
  };
}

/** `VAULTSVC_IMPORT_<SERVICE>` names a module that Node imports before the program of that service, such as a profiler. */
function importFlags(name: string) {
  const module = process.env[`VAULTSVC_IMPORT_${name.toUpperCase()}`];
  return module ? ['--import', module] : [];
}

/** URLs, besides the health endpoint, that a service must serve before the stack is ready. */
function pagesOf(name: string, { gateway, links, files }: Settings['ports']) {
  if (name !== 'gateway' && name !== allServices) return [];
  const pages = [`${gateway}/v1/health`, `${links}/robots.txt`, `${files}/robots.txt`];
  return pages.map((page) => `http://127.0.0.1:${page}`);
}

/** Runs the migrations of all services. */
export async function migrate(settings: Settings, secrets: Secrets) {
  const waiting = statefulServices.map((name) => [name, settings] as const);
  if (settings.clusters) for (const name of shardedServices) waiting.push([name, ofSecondShard(settings)]);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await runProgram(next[0], 'migrate', [], next[1], secrets);
  };
  await Promise.all(Array.from({ length: migrationsAtOnce }, work));
}

/** Creates the first account of this stack. */
export async function createFirstAccount(
  settings: Settings,
  secrets: Secrets,
): Promise<{ account_id: string; organization_name: string; owner_email: string; api_key: string }> {
  const args = ['--email', 'owner@localhost.test', '--organization', 'Local organization'];
  const output = await runProgram('auth', 'bootstrap', args, settings, secrets);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

/**
 * Runs one program of a service to completion. Its stdout may contain secrets, so only its stderr is logged.
 * @returns its stdout; rejects with the last lines of its log when it fails
 */
export async function runProgram(
  service: string,
  program: string,
  args: string[],
  settings: Settings,
  secrets: Secrets,
): Promise<string> {
  const { logs, children } = settings.paths;
  const logPath = join(logs, `${instanceName(service, settings)}.${program}.log`);
  const environmentOf = program === 'migrate' ? migrationEnvironment : serviceEnvironment;
  const env = environmentOf(service, settings, secrets, process.env);
  const log = openSync(logPath, 'w', 0o600);
  const command = [...nodeFlags, programPath(settings, service, program), ...args];
  const child = spawn(process.execPath, command, {
    cwd: workspace,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  if (child.pid)
    recordChild(children, { name: `${service} ${program}`, pid: child.pid, stopSignal: 'SIGTERM' });
  let output = '';
  child.stdout?.on('data', (data) => (output += data));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  if (child.pid) forgetChild(children, child.pid);
  if (code !== 0) throw new Error(`${service} ${program} failed (${code})\n${lastLines(logPath)}`);
  return output;
}
