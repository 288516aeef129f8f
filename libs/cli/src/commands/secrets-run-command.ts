import type { Command } from '../command-line/command.js';
import { CliError, UsageError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import { programEnvironment } from '../environment.js';
import { runProgram } from '../run-program.js';
import { ingotReference } from './download-command.js';
import { readKeyNames, readValues, type SecretValues } from './secret-values.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** `vaultsvc secrets run` */
export const secretsRunCommand: Command = {
  name: 'secrets run',
  summary: 'Runs a program with the values of a set of secrets in its environment.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'set', summary: 'Name of the set (a structured ingot).' },
  ],
  options: {
    only: { value: 'key', summary: 'Only this key; may be repeated.', isRepeated: true },
    'no-masking': { summary: 'Give the program the terminal itself, and show values that it prints.' },
  },
  takesProgram: true,
  notes: [
    'The values exist in the environment of this one process and of those that it starts; nothing is written. The exit\n' +
      'code is that of the program, or 128 and the number of the signal that ended it. Credentials of vaultsvc are not\n' +
      'passed on.',
    'Values of four bytes or more that the program prints are shown as <concealed by vaultsvc>. Its output therefore goes\n' +
      'through a pipe: a program that draws on the terminal needs --no-masking.',
  ],
  examples: [
    ['Run a server with its secrets', 'vaultsvc secrets run team shop -- node server.js'],
    ['With one of them', 'vaultsvc secrets run team shop --only DB_PASSWORD -- ./migrate.sh'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const { values, missing } = await withOpenVault(context, invocation.argument('vault'), (vault) =>
      read(vault, invocation.argument('set'), invocation.optionList('only')),
    );
    if (missing.length > 0) throw new CliError(`There is no key ${missing.join(', ')}.`, exitCodes.gone);
    assertVariables(values);
    const environment = programEnvironment(Object.fromEntries(values));
    const { stdout, stderr } = context.output;
    const isMasked = !invocation.has('no-masking');
    return runProgram(
      invocation.program,
      environment,
      isMasked ? { values: [...values.values()], stdout, stderr } : undefined,
    );
  },
};

async function read(vault: OpenVault, set: string, only: readonly string[]): Promise<SecretValues> {
  const ingot_id = ingotReference(set);
  const keys = only.length > 0 ? only : ((await readKeyNames(vault, ingot_id)).keys ?? []);
  return readValues(vault, ingot_id, keys);
}

/** Only these names work in every shell (POSIX, 8.1), and an environment cannot hold NUL. */
function assertVariables(values: ReadonlyMap<string, string>): void {
  const invalid = [...values.keys()].filter((key) => !/^[A-Za-z_]\w*$/.test(key));
  if (invalid.length > 0)
    throw new UsageError(`These keys cannot be variables: ${invalid.join(', ')}. Choose others with --only.`);
  const [withNul] = [...values].find(([, value]) => value.includes('\0')) ?? [];
  if (withNul !== undefined) throw new CliError(`The value of ${withNul} contains NUL.`);
}
