import type { Command } from '../command-line/command.js';
import { findVault } from './vault-access.js';

/** `vaultsvc vault seal` */
export const vaultSealCommand: Command = {
  name: 'vault seal',
  summary: 'Seals a vault: every token of it is invalid at once, of other users too.',
  arguments: [{ name: 'vault', summary: 'Name or id.' }],
  examples: [['After work', 'vaultsvc vault seal contracts']],
  run: async (invocation) => {
    const { context } = invocation;
    const { api, output, store } = context;
    const vault_id = await findVault(context, invocation.argument('vault'));
    await api.client().POST('/v1/vaults/{vault_id}/seal', { params: { path: { vault_id } } });
    await store.saveVault(api.url, vault_id, { vat: undefined, vat_expires_at: undefined });
    output.result({ vault_id, status: 'sealed' }, '');
    output.note('The vault is sealed.');
  },
};
