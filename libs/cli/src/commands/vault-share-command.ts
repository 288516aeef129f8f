import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { secondsOf } from '../duration.js';
import { ingotReference } from './download-command.js';
import { findVault, withOpenVault } from './vault-access.js';
import { readVaultKey } from './vault-open-command.js';

/** `vaultsvc vault share` */
export const vaultShareCommand: Command = {
  name: 'vault share',
  summary: 'Prints a link that downloads one file once, or a delegated key of the vault.',
  arguments: [
    { name: 'vault', summary: 'Name or id.' },
    {
      name: 'file',
      summary: 'A file of the open vault. Without it, a delegated key is created.',
      isOptional: true,
    },
  ],
  options: {
    expires: {
      value: 'duration',
      summary: 'Links: 5m to 1d. The default is 1d.',
      field: 'expires_in_seconds',
    },
    purpose: {
      value: 'text',
      summary: 'Keys: what the program is that will use it, such as "nightly backup".',
      field: 'nhi_description',
    },
    user: {
      value: 'usr_id',
      summary: 'Keys: the only user who may use it, instead of a program.',
      field: 'authorized_user_id',
    },
    'read-only': { summary: 'Keys: download and read, but not change.' },
    'key-stdin': { summary: 'Keys: read the master key from the standard input.' },
  },
  notes: [
    'A delegated key opens the vault like the master key, with vault open, and can be revoked. It is printed once.',
  ],
  examples: [
    ['A link to one file', 'vaultsvc vault share contracts offer.pdf --expires 2h'],
    ['A key for a program', 'vaultsvc vault share backups --purpose "nightly backup" --read-only'],
  ],
  run: (invocation) =>
    invocation.optionalArgument('file') === undefined ? createKey(invocation) : createLink(invocation),
};

async function createLink(invocation: Invocation): Promise<void> {
  const { context } = invocation;
  const expires_in_seconds = secondsOf(invocation.option('expires') ?? '1d', 'expires');
  const ingot_id = ingotReference(invocation.optionalArgument('file') ?? '');
  const { data } = await withOpenVault(
    context,
    invocation.argument('vault'),
    ({ client, vaultId: vault_id }) =>
      client.POST('/v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks', {
        params: { path: { vault_id, ingot_id } },
        body: { expires_in_seconds },
      }),
  );
  context.output.result(data, data.link_url);
  context.output.note(
    `The link downloads the file once, until ${new Date(data.expires_at * 1_000).toISOString()}.`,
  );
}

async function createKey(invocation: Invocation): Promise<void> {
  const { context } = invocation;
  const grantee = granteeOf(invocation);
  const vault_id = await findVault(context, invocation.argument('vault'));
  const vmk = await masterKey(context, vault_id, invocation.has('key-stdin'));
  const { data } = await context.api.client().POST('/v1/vaults/{vault_id}/dvaks', {
    params: { path: { vault_id } },
    body: { vmk, access_level: invocation.has('read-only') ? 'read' : 'read_write', ...grantee },
  });
  context.output.result(data, data.dvak_token);
  context.output.note(`The key ends with ${data.last_4_chars}. It is shown only now.`);
}

function granteeOf(invocation: Invocation) {
  const [user, purpose] = [invocation.option('user'), invocation.option('purpose')];
  if ((user === undefined) === (purpose === undefined))
    throw new UsageError('Give a file, or --purpose for a program, or --user for a person.');
  return user === undefined
    ? { dvak_type: 'nhi' as const, nhi_description: purpose }
    : { dvak_type: 'user' as const, authorized_user_id: user };
}

async function masterKey(context: CliContext, vaultId: string, isPiped: boolean): Promise<string> {
  const { vmk } = context.store.server(context.api.url).vaults?.[vaultId] ?? {};
  return vmk !== undefined && !isPiped ? vmk : readVaultKey(context, isPiped);
}
