import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { migrationEnvironment, serviceEnvironment } from './environment.mjs';
import { forgetChild, recordChild } from './servers/children.mjs';
import { probeHttp } from './servers/probes.mjs';
import { Server, lastLines } from './servers/server.mjs';
import { services, statefulServices, workspace } from './settings.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */
/** @typedef {import('./secrets.mjs').Secrets} Secrets */

/** As in the image: a small heap, because nine processes share the machine, and no `__proto__`, against prototype pollution. */
export const nodeFlags = ['--max-semi-space-size=8', '--disable-proto=delete'];

/** Concurrent migrations. They are bound by the processor, so more would not be faster. */
const migrationsAtOnce = 3;

/**
 * @param {Settings} settings
 * @param {string} service
 * @param {string} program
 */
export function programPath({ dist }, service, program) {
  return join(workspace, 'apps', service, dist, `${program}.js`);
}

/**
 * The eight services, not yet started.
 * @param {Settings} settings
 * @param {Secrets} secrets
 * @param {Readonly<Record<string, string | undefined>>} [given] settings of the services, by default from the environment
 * @returns {Server[]}
 */
export function prepareServices(settings, secrets, given = process.env) {
  return services.map((name) => new Server(servicePlan(name, settings, secrets, given)));
}

/**
 * @param {string} name
 * @param {Settings} settings
 * @param {Secrets} secrets
 * @param {Readonly<Record<string, string | undefined>>} given
 * @returns {import('./servers/server.mjs').ServerPlan}
 */
function servicePlan(name, settings, secrets, given) {
  const url = `http://127.0.0.1:${settings.ports.private[name]}`;
  return {
    name,
    url,
    command: process.execPath,
    args: [...nodeFlags, ...importFlags(name), programPath(settings, name, 'main')],
    cwd: workspace,
    env: serviceEnvironment(name, settings, secrets, given),
    stopSignal: 'SIGTERM',
    probe: () =>
      Promise.all([`${url}/readyz`, ...pagesOf(name, settings.ports)].map((page) => probeHttp(page))),
    logPath: join(settings.paths.logs, `${name}.log`),
    childrenDir: settings.paths.children,
  };
}

/**
 * `VAULTSVC_IMPORT_<SERVICE>` names a module that Node imports before the program of that service, such as a profiler.
 * @param {string} name
 */
function importFlags(name) {
  const module = process.env[`VAULTSVC_IMPORT_${name.toUpperCase()}`];
  return module ? ['--import', module] : [];
}

/**
 * URLs, besides the health endpoint, that a service must serve before the stack is ready.
 * @param {string} name
 * @param {Settings['ports']} ports
 */
function pagesOf(name, { gateway, links, files }) {
  if (name !== 'gateway') return [];
  const pages = [`${gateway}/v1/health`, `${links}/robots.txt`, `${files}/robots.txt`];
  return pages.map((page) => `http://127.0.0.1:${page}`);
}

/**
 * Runs the migrations of all services.
 * @param {Settings} settings
 * @param {Secrets} secrets
 */
export async function migrate(settings, secrets) {
  const waiting = [...statefulServices];
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift())
      await runProgram(name, 'migrate', [], settings, secrets);
  };
  await Promise.all(Array.from({ length: migrationsAtOnce }, work));
}

/**
 * Creates the first account of this stack.
 * @param {Settings} settings
 * @param {Secrets} secrets
 * @returns {Promise<{ account_id: string, organization_name: string, owner_email: string, api_key: string }>}
 */
export async function createFirstAccount(settings, secrets) {
  const args = ['--email', 'owner@localhost.test', '--organization', 'Local organization'];
  const output = await runProgram('auth', 'bootstrap', args, settings, secrets);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

/**
 * Runs one program of a service to completion. Its stdout may contain secrets, so only its stderr is logged.
 * @param {string} service
 * @param {string} program
 * @param {string[]} args
 * @param {Settings} settings
 * @param {Secrets} secrets
 * @returns {Promise<string>} its stdout; rejects with the last lines of its log when it fails
 */
export async function runProgram(service, program, args, settings, secrets) {
  const { logs, children } = settings.paths;
  const logPath = join(logs, `${service}.${program}.log`);
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
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (child.pid) forgetChild(children, child.pid);
  if (code !== 0) throw new Error(`${service} ${program} failed (${code})\n${lastLines(logPath)}`);
  return output;
}
