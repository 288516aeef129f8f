import type { Command } from '../command-line/command.js';
import { CliError, UsageError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import { printable } from '../terminal/printable.js';
import { ingotReference } from './download-command.js';
import { readKeyNames, readValues } from './secret-values.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** `vaultsvc secrets get` */
export const secretsGetCommand: Command = {
  name: 'secrets get',
  summary: 'Prints a value of a set of secrets, or the names of its keys.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'set', summary: 'Name of the set (a structured ingot).' },
    {
      name: 'key',
      summary: 'A key. Without one, the names of the keys are listed.',
      isOptional: true,
      isRepeated: true,
    },
  ],
  notes: ['A value is printed exactly, without a newline. Several values need --json.'],
  examples: [
    ['The names of the keys', 'vaultsvc secrets get team shop'],
    [
      'One value, into the clipboard',
      'vaultsvc secrets get team shop DB_PASSWORD | xclip -selection clipboard',
    ],
    ['Some values', 'vaultsvc secrets get team shop DB_USER DB_PASSWORD --json'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const { output } = context;
    const keys = invocation.argumentList('key');
    if (keys.length > 1 && !output.isJson) throw new UsageError('Several values need --json.');
    const ingot_id = ingotReference(invocation.argument('set'));
    const inVault = <T>(use: (vault: OpenVault) => Promise<T>) =>
      withOpenVault(context, invocation.argument('vault'), use);
    if (keys.length === 0) {
      const set = await inVault((vault) => readKeyNames(vault, ingot_id));
      return output.result(set, (set.keys ?? []).map(printable).join('\n'));
    }
    const { values, missing } = await inVault((vault) => readValues(vault, ingot_id, keys));
    if (missing.length > 0) throw new CliError(`There is no key ${missing.join(', ')}.`, exitCodes.gone);
    if (output.isJson) return output.result({ values: Object.fromEntries(values) }, '');
    await output.bytes(Buffer.from(values.get(keys[0] ?? '') ?? ''));
  },
};
