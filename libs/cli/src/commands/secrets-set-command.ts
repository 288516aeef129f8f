import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { utf8Text } from '../utf8-text.js';
import { jsonObject } from './json-object.js';
import { changeSet } from './secret-changes.js';
import { withOpenVault } from './vault-access.js';

/** `vaultsvc secrets set` */
export const secretsSetCommand: Command = {
  name: 'secrets set',
  summary: 'Sets values of a set of secrets, or deletes keys.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'set', summary: 'Name of the set (a structured ingot).', field: 'name' },
    {
      name: 'key',
      summary: 'Keys whose values are asked for without echo.',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: {
    stdin: {
      summary: 'Read the value of the one key, or without a key a JSON object, from the standard input.',
    },
    base64: {
      summary: 'With --stdin and a key: store the bytes of the input, whatever they are, in base64.',
    },
    delete: { value: 'key', summary: 'Delete a key; may be repeated.', isRepeated: true },
    create: { summary: 'Create the set if it does not exist.' },
  },
  notes: [
    'Values are never arguments. All changes of one call apply, or none; other keys stay as they are.',
    'A value of --stdin is stored exactly, except for the newline after a single line. It must be UTF-8.',
  ],
  examples: [
    ['Type a value', 'vaultsvc secrets set team shop DB_PASSWORD'],
    [
      'A value that nobody sees',
      'vaultsvc random 24 --format password | vaultsvc secrets set team shop DB_PASSWORD --stdin',
    ],
    ['A key of SSH, with its last newline', 'vaultsvc secrets set team deploy SSH_KEY --stdin < id_ed25519'],
    ['A new set from a JSON object', 'vaultsvc secrets set team shop --create --stdin < settings.json'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const keys = invocation.argumentList('key');
    const removed = invocation.optionList('delete');
    assertInput(invocation, keys);
    // Before the vault is opened: nothing is sent for an input that cannot be stored.
    const piped = invocation.has('stdin') ? await readInput(invocation, keys) : undefined;
    const data = await withOpenVault(context, invocation.argument('vault'), async (vault) => {
      const set = piped ?? (await askForValues(context, keys));
      const change = {
        ...(Object.keys(set).length > 0 && { set }),
        ...(removed.length > 0 && { delete: [...removed] }),
      };
      return changeSet(vault, invocation.argument('set'), change, invocation.has('create'));
    });
    context.output.result(data, '');
    const count = data.key_count === 1 ? '1 key' : `${data.key_count} keys`;
    context.output.note(`Version ${data.version} has ${count}.`);
  },
};

type Values = Record<string, unknown>;

async function readInput(invocation: Invocation, [key]: readonly string[]): Promise<Values> {
  const input = await invocation.context.terminal.readInput();
  if (key !== undefined && invocation.has('base64')) return { [key]: input.toString('base64') };
  const text = utf8Text(input);
  if (text === undefined)
    throw new UsageError(
      `The standard input is not UTF-8, so that it is not stored.${key === undefined ? '' : ' --base64 stores its bytes in base64.'}`,
    );
  return key === undefined ? jsonObject(text) : { [key]: withoutLineEnd(text) };
}

/** `echo` and most programs end a line with a newline that is no part of the value; in a PEM file it is a part. */
function withoutLineEnd(text: string): string {
  const line = text.replace(/\r?\n$/, '');
  return line.includes('\n') ? text : line;
}

function assertInput(invocation: Invocation, keys: readonly string[]): void {
  const isPiped = invocation.has('stdin');
  if (keys.length === 0 && !isPiped && invocation.optionList('delete').length === 0)
    throw new UsageError('Give a key, or --stdin, or --delete.');
  if (isPiped && keys.length > 1) throw new UsageError('--stdin is the value of one key.');
  if (invocation.has('base64') && !(isPiped && keys.length === 1))
    throw new UsageError('--base64 needs --stdin and one key.');
}

async function askForValues({ terminal }: CliContext, keys: readonly string[]): Promise<Values> {
  const values: Values = {};
  for (const key of keys)
    values[key] = await terminal.askSecret(`${key} (not shown): `, 'Pipe the value and pass --stdin.');
  return values;
}
