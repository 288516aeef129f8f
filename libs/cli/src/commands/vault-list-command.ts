import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { bytesText } from '../terminal/progress-bar.js';
import { printable } from '../terminal/printable.js';

/** `vaultsvc vault list` */
export const vaultListCommand: Command = {
  name: 'vault list',
  summary: 'Lists the vaults of the account, newest first.',
  examples: [['Names only', "vaultsvc vault list --json | jq -r '.vaults[].name'"]],
  run: async ({ context: { api, output } }) => {
    const vaults: Schema<'VaultSummary'>[] = [];
    for await (const vault of paginate(api.client(), '/v1/vaults')) vaults.push(vault);
    const lines = vaults.map(
      ({ vault_id, name, ingot_count, storage_bytes }) =>
        `${vault_id}  ${String(ingot_count).padStart(6)}  ${bytesText(storage_bytes).padStart(8)}  ${printable(name)}`,
    );
    output.result({ vaults }, lines.join('\n'));
  },
};
