import type { Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';

const columns: readonly Column<Schema<'OwnSession'>>[] = [
  { heading: 'ID', text: ({ session_id }) => session_id },
  { heading: 'CLIENT', text: ({ client }) => client },
  { heading: 'SIGN-IN', text: ({ created_at }) => timeText(created_at) },
  { heading: 'LAST USE', text: ({ last_used_at }) => timeText(last_used_at) },
  { heading: 'THIS ONE', text: ({ current }) => (current ? 'yes' : '-') },
];

/** `vaultsvc sessions list` */
export const sessionsListCommand: Command = {
  name: 'sessions list',
  summary: 'Lists your live sessions, newest first.',
  notes: ['For people who have logged in with --device: an API key has no sessions.'],
  examples: [['Where am I signed in?', 'vaultsvc sessions list']],
  run: async ({ context: { api, output } }) => {
    const { data } = await api.client().GET('/v1/me/sessions');
    printTable(output, { sessions: data.sessions }, data.sessions, columns);
  },
};
