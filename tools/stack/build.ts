import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt, sharedInputs } from '../build/inputs.ts';
import { isWebCurrent, stampFile } from '../build/web.ts';
import { allServices, services, webDist, workspace } from './settings.ts';

const builder = join(workspace, 'tools/build/app.ts');
const webBuilder = join(workspace, 'tools/build/web.ts');

/**
 * The programs of the operator are those of the services, also where one process runs all of them.
 * @returns the folders of apps whose `dist` is out of date
 */
export function appsToBuild({ isOne }: { isOne: boolean }): string[] {
  const shared = sharedInputs();
  const names = isOne ? [...services, allServices] : services;
  return names.map((name) => join(workspace, 'apps', name)).filter((app) => !isBuilt(app, shared));
}

/**
 * Builds apps in one child process: the compilers are loaded once, and their half a gigabyte is freed with the process.
 * @throws with all errors of the compiler
 */
export function build(apps: string[]) {
  return runBuilder([builder, ...apps]);
}

/** Changes with the web application. */
export const webStamp = join(webDist, stampFile);

/** Builds the web application, unless it is up to date. */
export async function buildWeb() {
  if (!isWebCurrent(webDist)) await runBuilder([webBuilder, webDist]);
}

async function runBuilder(args: string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data) => (errors += data));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(errors.trim());
}

/**
 * Builds every app for development.
 * @returns the rebuild function of each service
 */
export async function buildForDevelopment(): Promise<Map<string, () => Promise<void>>> {
  const { developApp } = await import('../build/app.ts');
  const build = async (name: string) => [name, await developApp(join(workspace, 'apps', name))] as const;
  return new Map(await Promise.all(services.map(build)));
}
