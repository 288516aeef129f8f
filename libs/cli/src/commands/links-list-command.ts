import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';
import { collect, listOptions } from './collect.js';
import { creatorText } from './creator-text.js';

type Link = Schema<'SparkLinkSummary'>;

const types = ['spark', 'ingot'] as const;

/** An expired link keeps its status. */
function statusOf({ status, expires_at }: Link): string {
  const hasExpired = expires_at !== null && expires_at <= Date.now() / 1_000;
  return status === 'active' && hasExpired ? 'expired' : status;
}

const columns: readonly Column<Link>[] = [
  { heading: 'CODE', text: ({ link_code }) => link_code },
  { heading: 'STATUS', text: statusOf },
  { heading: 'EXPIRES', text: ({ expires_at }) => timeText(expires_at) },
  { heading: 'OPENS FOR', text: ({ visibility, invites }) => invites.join(', ') || visibility },
  { heading: 'CONTENT', text: ({ asset_id, link_type }) => asset_id ?? link_type },
  { heading: 'LABEL', text: ({ label }) => label ?? '-' },
  { heading: 'CREATED BY', text: ({ created_by }) => creatorText(created_by) },
];

/** `vaultsvc links list` */
export const linksListCommand: Command = {
  name: 'links list',
  summary: 'Lists the links to Sparks and files of the account, newest first.',
  options: {
    type: {
      value: 'type',
      summary: 'Only links to Sparks, or only links to files (ingots).',
      choices: types,
      field: 'type',
    },
    ...listOptions,
  },
  notes: [
    'Anyone who has the code of an active link can open it. A dash under EXPIRES is a link that stays.',
  ],
  examples: [
    ['Links to files', 'vaultsvc links list --type ingot'],
    [
      'The URLs of active links',
      'vaultsvc links list --json | jq -r \'.links[] | select(.status == "active").link_url\'',
    ],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const type = invocation.option('type') as (typeof types)[number] | undefined;
    const found = paginate(api.client(), '/v1/sparklinks', { params: { query: { type } } });
    const links = await collect(invocation, found);
    printTable(output, { links }, links, columns);
  },
};
