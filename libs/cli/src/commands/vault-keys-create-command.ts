import type { Command } from '../command-line/command.js';
import { createVaultKey, vaultKeyOptions } from './vault-key.js';

/** `vaultsvc vault keys create` */
export const vaultKeysCreateCommand: Command = {
  name: 'vault keys create',
  summary: 'Creates a delegated key of a vault, for a program or a user, and prints it once.',
  arguments: [{ name: 'vault', summary: 'Name or id.' }],
  options: vaultKeyOptions,
  notes: [
    'The master key of the vault is typed without echo, unless vault create --save has kept it. A delegated key opens the\n' +
      'vault like the master key, with vault open, and can be revoked.',
  ],
  examples: [
    ['A key for a program', 'vaultsvc vault keys create backups --purpose "nightly backup" --read-only'],
    ['A key for Ben alone', 'vaultsvc vault keys create contracts --user usr_Hd4vQ9mTz2XrB7nLs5YpKw'],
  ],
  run: createVaultKey,
};
