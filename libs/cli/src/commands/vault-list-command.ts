import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { bytesText } from '../terminal/progress-bar.js';
import { printTable, type Column } from '../terminal/table.js';
import { collect, listOptions } from './collect.js';

const columns: readonly Column<Schema<'VaultSummary'>>[] = [
  { heading: 'ID', text: ({ vault_id }) => vault_id },
  { heading: 'FILES', text: ({ ingot_count }) => String(ingot_count), isNumber: true },
  { heading: 'SIZE', text: ({ storage_bytes }) => bytesText(storage_bytes), isNumber: true },
  { heading: 'NAME', text: ({ name }) => name },
];

/** `vaultsvc vault list` */
export const vaultListCommand: Command = {
  name: 'vault list',
  summary: 'Lists the vaults of the account, newest first.',
  options: listOptions,
  examples: [['Names only', "vaultsvc vault list --json | jq -r '.vaults[].name'"]],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const vaults = await collect(invocation, paginate(api.client(), '/v1/vaults'));
    printTable(output, { vaults }, vaults, columns);
  },
};
