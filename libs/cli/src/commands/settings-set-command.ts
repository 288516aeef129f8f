import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { UsageError } from '../failures.js';
import { jsonObject } from './json-object.js';

/** `vaultsvc settings set` */
export const settingsSetCommand: Command = {
  name: 'settings set',
  summary: 'Changes settings of the account, which are no secrets; others stay as they are.',
  arguments: [
    { name: 'key', summary: 'The setting.', isOptional: true },
    { name: 'value', summary: 'JSON such as true, 5 or "text"; anything else is a text.', isOptional: true },
  ],
  options: {
    stdin: { summary: 'Read a JSON object with several settings from the standard input.' },
    delete: { value: 'key', summary: 'Remove a setting; may be repeated.', isRepeated: true },
  },
  examples: [
    ['Visitors confirm before a link opens', 'vaultsvc settings set links_ask_first true'],
    [
      'Several at once',
      `echo '{"theme":"dark","links_show_organization":true}' | vaultsvc settings set --stdin`,
    ],
    ['Remove one', 'vaultsvc settings set --delete theme'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const settings = await changesOf(invocation);
    const { data } = await api.client().PUT('/v1/settings', { body: { settings } });
    output.result(data, '');
    const count = Object.keys(settings).length;
    output.note(count === 1 ? 'One setting is changed.' : `${count} settings are changed.`);
  },
};

/** null removes a setting. */
async function changesOf(invocation: Invocation): Promise<Record<string, unknown>> {
  const [key, value] = [invocation.optionalArgument('key'), invocation.optionalArgument('value')];
  const isPiped = invocation.has('stdin');
  if (isPiped && key !== undefined) throw new UsageError('Give a key and its value, or --stdin.');
  if (key !== undefined && value === undefined) throw new UsageError(`Give the value of ${key}.`);
  const removed = invocation.optionList('delete').map((name) => [name, null] as const);
  const given = key === undefined ? [] : [[key, parsedValue(value ?? '')] as const];
  const piped = isPiped ? Object.entries(jsonObject(await invocation.context.terminal.readInput())) : [];
  const changes = [...piped, ...given, ...removed];
  if (changes.length === 0) throw new UsageError('Give a key and its value, --stdin or --delete.');
  return Object.fromEntries(changes);
}

function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
