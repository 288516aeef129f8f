import { readFile } from 'node:fs/promises';
import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { UsageError } from '../failures.js';
import { parseDotenv } from '../secrets/dotenv.js';
import { utf8Text } from '../utf8-text.js';
import { changeSet } from './secret-changes.js';
import { withOpenVault } from './vault-access.js';

/** `vaultsvc secrets import` */
export const secretsImportCommand: Command = {
  name: 'secrets import',
  summary: 'Sets the values of a .env file in a set of secrets, all at once.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'set', summary: 'Name of the set (a structured ingot).', field: 'name' },
    { name: 'file', summary: 'The .env file, or - for the standard input.', isFile: true },
  ],
  options: {
    create: { summary: 'Create the set if it does not exist.' },
    'dry-run': { summary: 'Only print the names that would be set. Nothing is sent.' },
  },
  notes: [
    'Lines are NAME=value or export NAME=value; # begins a comment. Values in single quotes are taken as they are, in double\n' +
      'quotes with \\n, \\t, \\" and \\$; both may have several lines. A file with a line that is something else is refused as\n' +
      'a whole, and so is $' +
      '{…}, which programs read in different ways. Other keys of the set stay as they are.',
  ],
  examples: [
    ['What would be set?', 'vaultsvc secrets import team shop .env --dry-run'],
    ['A new set', 'vaultsvc secrets import team shop .env --create'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const values = parseDotenv(await readText(invocation));
    const names = [...values.keys()];
    if (names.length === 0) throw new UsageError('The file has no variables.');
    const counted = names.length === 1 ? '1 key' : `${names.length} keys`;
    if (invocation.has('dry-run')) {
      context.output.result({ keys: names }, names.join('\n'));
      return context.output.note(`${counted} would be set.`);
    }
    const change = { set: Object.fromEntries(values) };
    const data = await withOpenVault(context, invocation.argument('vault'), (vault) =>
      changeSet(vault, invocation.argument('set'), change, invocation.has('create')),
    );
    context.output.result(data, '');
    context.output.note(`${counted} set in version ${data.version}.`);
  },
};

async function readText(invocation: Invocation): Promise<string> {
  const path = invocation.argument('file');
  const { terminal } = invocation.context;
  const text = utf8Text(path === '-' ? await terminal.readInput() : await readFile(path));
  if (text === undefined) throw new UsageError('The file is not UTF-8. Nothing was imported.');
  return text;
}
