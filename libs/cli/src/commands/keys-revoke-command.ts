import { paginate, type Client } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { exitCodes } from '../exit-codes.js';
import { CliError, UsageError } from '../failures.js';
import { confirmed, yesOption } from './confirmation.js';

/** `vaultsvc keys revoke` */
export const keysRevokeCommand: Command = {
  name: 'keys revoke',
  summary: 'Revokes an API key, at once.',
  arguments: [{ name: 'key', summary: 'Its id, key_…, or its name.', field: 'api_key_id' }],
  options: yesOption,
  notes: ['Programs that use the key are refused from then on. A revoked key stays in the list.'],
  examples: [
    ['A key that has leaked', 'vaultsvc keys revoke key_Vn3xQ7mTz5RkB2pLs8YwFa --yes'],
    ['By its name', 'vaultsvc keys revoke "backup job"'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const client = api.client();
    const reference = invocation.argument('key');
    const api_key_id = /^key_[\w-]+$/.test(reference) ? reference : await findByName(client, reference);
    await confirmed(invocation, `Revoke the API key ${reference}?`);
    const params = { path: { api_key_id } };
    const { data } = await client.DELETE('/v1/api-keys/{api_key_id}', { params });
    output.result(data, '');
    output.note('The key is revoked.');
  },
};

/** Names need not be unique, and revoked keys keep theirs. */
async function findByName(client: Client, name: string): Promise<string> {
  // A key itself must not be an argument, and is not repeated.
  if (/^vk_/.test(name)) throw new UsageError('Give the id of the key, key_…, not the key itself.');
  const found: string[] = [];
  for await (const key of paginate(client, '/v1/api-keys'))
    if (key.name === name && key.status === 'active') found.push(key.api_key_id);
  const [id] = found;
  if (id === undefined) throw new CliError(`There is no active API key named ${name}.`, exitCodes.gone);
  if (found.length > 1)
    throw new UsageError(`${found.length} active keys have this name. Give an id: ${found.join(', ')}.`);
  return id;
}
