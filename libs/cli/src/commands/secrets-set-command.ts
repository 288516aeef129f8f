import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { ingotReference } from './download-command.js';
import { openVault, type OpenVault } from './vault-access.js';

const ATTEMPTS = 5;
const RETRY_MS_MAX = 500;

/** `vaultsvc secrets set` */
export const secretsSetCommand: Command = {
  name: 'secrets set',
  summary: 'Sets values of a set of secrets, or deletes keys.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'set', summary: 'Name of the set (a structured ingot).' },
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
    delete: { value: 'key', summary: 'Delete a key; may be repeated.', isRepeated: true },
    create: { summary: 'Create the set if it does not exist.' },
  },
  notes: ['Values are never arguments. All changes of one call apply, or none; other keys stay as they are.'],
  examples: [
    ['Type a value', 'vaultsvc secrets set team shop DB_PASSWORD'],
    [
      'A value that nobody sees',
      'vaultsvc random 24 --format password | vaultsvc secrets set team shop DB_PASSWORD --stdin',
    ],
    ['A new set from a JSON object', 'vaultsvc secrets set team shop --create --stdin < settings.json'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const keys = invocation.argumentList('key');
    const removed = invocation.optionList('delete');
    if (keys.length === 0 && removed.length === 0 && !invocation.has('stdin'))
      throw new UsageError('Give a key, or --stdin, or --delete.');
    const vault = await openVault(context, invocation.argument('vault'));
    const set = await readChange(invocation, keys);
    const change = {
      ...(Object.keys(set).length > 0 && { set }),
      ...(removed.length > 0 && { delete: [...removed] }),
    };
    const data = await apply(vault, invocation.argument('set'), change, invocation.has('create'));
    context.output.result(data, '');
    const count = data.key_count === 1 ? '1 key' : `${data.key_count} keys`;
    context.output.note(`Version ${data.version} has ${count}.`);
  },
};

type Values = Record<string, unknown>;

async function readChange(invocation: Invocation, keys: readonly string[]): Promise<Values> {
  const { context } = invocation;
  if (!invocation.has('stdin')) return askForValues(context, keys);
  const input = (await context.terminal.readInput()).toString('utf8');
  const [key, ...others] = keys;
  if (others.length > 0) throw new UsageError('--stdin is the value of one key.');
  // `echo` and most programs end their output with a newline that is no part of the value.
  return key === undefined ? parseObject(input) : { [key]: input.replace(/\r?\n$/, '') };
}

async function askForValues({ terminal }: CliContext, keys: readonly string[]): Promise<Values> {
  const values: Values = {};
  for (const key of keys)
    values[key] = await terminal.askSecret(`${key} (not shown): `, 'Pipe the value and pass --stdin.');
  return values;
}

/** The message does not quote the input, as that of JSON.parse does. */
function parseObject(text: string): Values {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('The standard input is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('The standard input is not a JSON object.');
  return value as Values;
}

interface Change {
  readonly set?: Values;
  readonly delete?: string[];
}

async function apply(vault: OpenVault, name: string, change: Change, mayCreate: boolean) {
  try {
    return await update(vault, name, change);
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404;
    if (!isUnknown || !mayCreate || name.startsWith('ing_')) throw error;
    const body = { name: name.replace(/^:/, ''), data: change.set ?? {} };
    const params = { path: { vault_id: vault.vaultId } };
    return (await vault.client.POST('/v1/products/structured-ingots/{vault_id}', { params, body })).data;
  }
}

/** Of two concurrent changes one is refused with 412. The values do not depend on earlier ones, so it is repeated. */
async function update({ client, vaultId: vault_id }: OpenVault, name: string, body: Change) {
  const params = { path: { vault_id, ingot_id: ingotReference(name) } };
  for (let attempt = 1; ; attempt++) {
    try {
      return (await client.PATCH('/v1/products/structured-ingots/{vault_id}/{ingot_id}', { params, body }))
        .data;
    } catch (error) {
      const isOvertaken = error instanceof ApiError && error.status === 412;
      if (!isOvertaken || attempt >= ATTEMPTS) throw error;
      await delay(Math.random() * RETRY_MS_MAX);
    }
  }
}
