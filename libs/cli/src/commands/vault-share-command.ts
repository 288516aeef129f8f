import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { secondsWithin } from '../duration.js';
import { ingotReference } from './download-command.js';
import { withOpenVault } from './vault-access.js';
import { createVaultKey, vaultKeyOptions } from './vault-key.js';

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
    ...Object.fromEntries(
      Object.entries(vaultKeyOptions).map(([name, option]) => [
        name,
        { ...option, summary: `Keys: ${option.summary}` },
      ]),
    ),
  },
  notes: [
    'A delegated key opens the vault like the master key, with vault open, and can be revoked. It is printed once.\n' +
      'vaultsvc vault keys create does the same.',
  ],
  examples: [
    ['A link to one file', 'vaultsvc vault share contracts offer.pdf --expires 2h'],
    ['A key for a program', 'vaultsvc vault share backups --purpose "nightly backup" --read-only'],
  ],
  run: (invocation) =>
    invocation.optionalArgument('file') === undefined ? createVaultKey(invocation) : createLink(invocation),
};

async function createLink(invocation: Invocation): Promise<void> {
  const { context } = invocation;
  const expires_in_seconds = secondsWithin(invocation.option('expires') ?? '1d', 'expires', ['5m', '1d']);
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
