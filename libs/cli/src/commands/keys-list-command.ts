import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';
import { collect, listOptions } from './collect.js';

const columns: readonly Column<Schema<'ApiKey'>>[] = [
  { heading: 'ID', text: ({ api_key_id }) => api_key_id },
  { heading: 'KEY', text: ({ key_preview }) => key_preview },
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'LAST USED', text: ({ last_used_at }) => timeText(last_used_at) },
  { heading: 'EXPIRES', text: ({ expires_at }) => timeText(expires_at) },
  { heading: 'NAME', text: ({ name }) => name },
];

/** `vaultsvc keys list` */
export const keysListCommand: Command = {
  name: 'keys list',
  summary: 'Lists the API keys of the account, newest first; never the keys themselves.',
  options: listOptions,
  examples: [['Which keys are there, and when were they used?', 'vaultsvc keys list']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const api_keys = await collect(invocation, paginate(api.client(), '/v1/api-keys'));
    printTable(output, { api_keys }, api_keys, columns);
  },
};
