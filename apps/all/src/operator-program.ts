import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentOf, serviceNames } from '@vaultsvc/config';

/**
 * A program of the services, such as `migrate`, from the environment of the process of all: runs it of each service that has it, one after
 * the other, in a process of its own with the settings of that service alone. A service as the first argument chooses that one. It exits
 * with the highest code, after all.
 * @param options `needsService`: its output is a file, so it runs of a single one
 */
export async function runOperatorProgram(name: string, { needsService = false } = {}): Promise<void> {
  const given = process.argv.slice(2);
  const [first = ''] = given;
  const isChosen = serviceNames.includes(first);
  const [chosen, args] = isChosen ? [[first], given.slice(1)] : [serviceNames, given];
  const having = chosen.filter((service) => existsSync(programPath(service, name)));
  if (having.length === 0 || (needsService && !isChosen)) {
    const choice = serviceNames.filter((service) => existsSync(programPath(service, name)));
    process.stderr.write(`Usage: all ${name} <service> [arguments], with one of: ${choice.join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  for (const service of having) {
    const code = await run(service, name, args);
    process.exitCode = Math.max(Number(process.exitCode ?? 0), code);
  }
}

/** Both in the image and in the workspace, the folders of the services are beside that of this program. */
function programPath(service: string, name: string): string {
  return join(dirname(process.argv[1] ?? ''), '../..', service, 'dist', `${name}.js`);
}

function run(service: string, name: string, args: readonly string[]): Promise<number> {
  const command = [...process.execArgv, programPath(service, name), ...args];
  const child = spawn(process.execPath, command, {
    env: environmentOf(service),
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
