import type { CliContext } from '../cli-context.js';
import type { OptionSpec } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { UsageError } from '../failures.js';
import { findVault } from './vault-access.js';
import { readVaultKey } from './vault-open-command.js';

/** The options of a delegated key. */
export const vaultKeyOptions: Readonly<Record<string, OptionSpec>> = {
  purpose: {
    value: 'text',
    summary: 'What the program is that will use it, such as "nightly backup".',
    field: 'nhi_description',
  },
  user: {
    value: 'usr_id',
    summary: 'The only user who may use it, instead of a program.',
    field: 'authorized_user_id',
  },
  'read-only': { summary: 'Download and read, but not change.' },
  'key-stdin': { summary: 'Read the master key from the standard input.' },
};

/** Creates a delegated key and prints it. */
export async function createVaultKey(invocation: Invocation): Promise<void> {
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
    throw new UsageError('For a key, give --purpose for a program, or --user for a person.');
  return user === undefined
    ? { dvak_type: 'nhi' as const, nhi_description: purpose }
    : { dvak_type: 'user' as const, authorized_user_id: user };
}

async function masterKey(context: CliContext, vaultId: string, isPiped: boolean): Promise<string> {
  const { vmk } = context.store.server(context.api.url).vaults?.[vaultId] ?? {};
  return vmk !== undefined && !isPiped ? vmk : readVaultKey(context, isPiped);
}
