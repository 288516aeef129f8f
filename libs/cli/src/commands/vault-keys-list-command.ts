import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';
import { collect, listOptions } from './collect.js';
import { findVault } from './vault-access.js';

type Key = Schema<'Dvak'>;

const statuses = ['active', 'revoked'] as const;

const columns: readonly Column<Key>[] = [
  { heading: 'ENDS WITH', text: ({ last_4_chars }) => last_4_chars },
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'ACCESS', text: ({ access_level }) => (access_level === 'read' ? 'read' : 'read, write') },
  { heading: 'LAST USED', text: ({ last_used_at }) => timeText(last_used_at) },
  { heading: 'FOR', text: granteeOf },
];

function granteeOf(key: Key): string {
  return (
    key.authorized_user_email ??
    key.authorized_user_id ??
    key.nhi_description ??
    (key.system_purpose === null ? '-' : `the platform: ${key.system_purpose.replaceAll('_', ' ')}`)
  );
}

/** `vaultsvc vault keys list` */
export const vaultKeysListCommand: Command = {
  name: 'vault keys list',
  summary: 'Lists the delegated keys of a vault, newest first; never the keys themselves.',
  arguments: [{ name: 'vault', summary: 'Name or id.' }],
  options: {
    status: { value: 'status', summary: 'Only keys of this status.', choices: statuses, field: 'status' },
    ...listOptions,
  },
  examples: [['Who can open the vault?', 'vaultsvc vault keys list contracts --status active']],
  run: async (invocation) => {
    const { context } = invocation;
    const vault_id = await findVault(context, invocation.argument('vault'));
    const status = invocation.option('status') as (typeof statuses)[number] | undefined;
    const params = { path: { vault_id }, query: { status } };
    const found = paginate(context.api.client(), '/v1/vaults/{vault_id}/dvaks', { params });
    const keys = await collect(invocation, found);
    printTable(context.output, { vault_id, keys }, keys, columns);
  },
};
