import type { Command } from '../command-line/command.js';
import { exitCodes } from '../exit-codes.js';
import { CliError } from '../failures.js';
import { printTable, type Column } from '../terminal/table.js';

const columns: readonly Column<readonly [string, unknown]>[] = [
  { heading: 'KEY', text: ([key]) => key },
  { heading: 'VALUE', text: ([, value]) => JSON.stringify(value) },
];

/** `vaultsvc settings get` */
export const settingsGetCommand: Command = {
  name: 'settings get',
  summary: 'Prints the settings of the account, or one of them.',
  arguments: [{ name: 'key', summary: 'The setting. Without it, all are listed.', isOptional: true }],
  notes: ['Values are JSON.'],
  examples: [
    ['All', 'vaultsvc settings get'],
    ['One', 'vaultsvc settings get links_ask_first'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const { data } = await api.client().GET('/v1/settings');
    const settings = data.settings as Record<string, unknown>;
    const key = invocation.optionalArgument('key');
    if (key === undefined) return printTable(output, { settings }, Object.entries(settings), columns);
    if (!Object.hasOwn(settings, key)) throw new CliError(`There is no setting ${key}.`, exitCodes.gone);
    output.result({ key, value: settings[key] }, JSON.stringify(settings[key]));
  },
};
