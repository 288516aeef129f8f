import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { bytesText } from '../terminal/progress-bar.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';
import { collect, listOptions } from './collect.js';
import { creatorText } from './creator-text.js';

const statuses = ['active', 'ash'] as const;

const columns: readonly Column<Schema<'Spark'>>[] = [
  { heading: 'ID', text: ({ spark_id }) => spark_id },
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'SIZE', text: ({ size_bytes }) => bytesText(size_bytes), isNumber: true },
  { heading: 'EXPIRES', text: ({ expires_at }) => timeText(expires_at) },
  { heading: 'NAME', text: ({ filename }) => filename ?? '-' },
  { heading: 'LABEL', text: ({ label }) => label ?? '-' },
  { heading: 'CREATED BY', text: ({ created_by }) => creatorText(created_by) },
];

/** `vaultsvc sparks list` */
export const sparksListCommand: Command = {
  name: 'sparks list',
  summary: 'Lists the Sparks of the account, newest first, without their content.',
  options: {
    status: {
      value: 'status',
      summary: 'active: not read yet; ash: read and burned.',
      choices: statuses,
      field: 'status',
    },
    ...listOptions,
  },
  examples: [
    ['What nobody has read yet', 'vaultsvc sparks list --status active'],
    ['For a script', "vaultsvc sparks list --json | jq -r '.sparks[].spark_id'"],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const status = invocation.option('status') as (typeof statuses)[number] | undefined;
    const found = paginate(api.client(), '/v1/sparks', { params: { query: { status } } });
    const sparks = await collect(invocation, found);
    printTable(output, { sparks }, sparks, columns);
  },
};
