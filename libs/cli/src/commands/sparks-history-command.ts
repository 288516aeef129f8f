import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';
import { collect, listOptions } from './collect.js';
import { creatorText } from './creator-text.js';

type Item = Schema<'HistoryItem'>;

/** The last opening: the proven identity, the user or the API key; a visitor without an identity is someone. */
function openerText({ openings: [last] }: Item): string {
  if (last === undefined) return '-';
  if (last.verified_by !== null) return last.verified_by;
  return last.opened_by.kind === 'visitor' ? 'someone' : creatorText(last.opened_by);
}

const columns: readonly Column<Item>[] = [
  { heading: 'ID', text: ({ spark_id, link_id }) => spark_id ?? link_id ?? '-' },
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'CREATED', text: ({ created_at }) => timeText(created_at) },
  { heading: 'CREATED BY', text: ({ created_by }) => creatorText(created_by) },
  { heading: 'OPENED', text: ({ openings: [last] }) => timeText(last?.opened_at) },
  { heading: 'OPENED BY', text: openerText },
  { heading: 'LABEL', text: ({ label }) => label ?? '-' },
];

/** `vaultsvc sparks history` */
export const sparksHistoryCommand: Command = {
  name: 'sparks history',
  summary: 'Lists what was sent, who opened it and when, after its expiry too.',
  options: {
    by: {
      value: 'id',
      summary: 'Only what this user (usr_) or API key (key_) created.',
      field: 'created_by',
    },
    ...listOptions,
  },
  notes: ['Sparks with their links, and links of files, newest first. Members see what they created.'],
  examples: [
    ['The last twenty', 'vaultsvc sparks history --limit 20'],
    [
      'Expired unopened, for a script',
      'vaultsvc sparks history --json | jq -r \'.items[] | select(.status == "expired").spark_id\'',
    ],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const created_by = invocation.option('by');
    const found = paginate(api.client(), '/v1/sparks/history', { params: { query: { created_by } } });
    const items = await collect(invocation, found);
    printTable(output, { items }, items, columns);
  },
};
