import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import { confirmed, yesOption } from './confirmation.js';
import { findVault } from './vault-access.js';

/** `vaultsvc vault keys revoke` */
export const vaultKeysRevokeCommand: Command = {
  name: 'vault keys revoke',
  summary: 'Revokes a delegated key of a vault, and all access that it has given.',
  arguments: [
    { name: 'vault', summary: 'Name or id.' },
    {
      name: 'ending',
      summary: 'The last four characters of the key, as vault keys list shows them.',
      field: 'last4',
    },
  ],
  options: yesOption,
  examples: [['The key of a program that is gone', 'vaultsvc vault keys revoke backups x7Qp']],
  run: async (invocation) => {
    const { context } = invocation;
    const [reference, last4] = [invocation.argument('vault'), invocation.argument('ending')];
    // Also not the whole key, which would be in the history of the shell.
    if (!/^[\w-]{4}$/.test(last4)) throw new UsageError('Give the last four characters of the key only.');
    const vault_id = await findVault(context, reference);
    await confirmed(invocation, `Revoke the key of ${reference} that ends with ${last4}?`);
    const params = { path: { vault_id, last4 } };
    const { data } = await context.api.client().DELETE('/v1/vaults/{vault_id}/dvaks/{last4}', { params });
    context.output.result({ vault_id, ...data }, '');
    context.output.note('The key is revoked.');
  },
};
