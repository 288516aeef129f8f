import type { Command } from '../command-line/command.js';

/** `vaultsvc vault create` */
export const vaultCreateCommand: Command = {
  name: 'vault create',
  summary: 'Creates a vault and prints its master key, once.',
  arguments: [{ name: 'name', summary: 'The name, unique in the account.', field: 'name' }],
  options: {
    save: { summary: 'Keep the master key in the file of credentials instead of printing it.' },
  },
  notes: [
    'The service does not keep the master key. Without it the content is lost: store it in a password manager.\n' +
      'With --save every program of your user can open the vault.',
  ],
  examples: [
    [
      'Put the master key into a password manager',
      'vaultsvc vault create contracts | pass insert -e vaults/contracts',
    ],
    ['Keep the key here, for a script', 'vaultsvc vault create backups --save'],
  ],
  run: async (invocation) => {
    const { api, output, store } = invocation.context;
    const name = invocation.argument('name');
    const isSaved = invocation.has('save');
    const { data } = await api.client().POST('/v1/vaults', { body: { name } });
    const { vault_id, vmk } = data;
    await store.saveVault(api.url, vault_id, { name, ...(isSaved && { vmk }) });
    const shown = { vault_id, name, created_at: data.created_at };
    output.result(isSaved ? shown : { ...shown, vmk }, isSaved ? '' : vmk);
    output.note(`The vault ${name} is ${vault_id}.`);
    output.note(isSaved ? `Its master key is in ${store.path}.` : 'Its master key is shown only now.');
  },
};
