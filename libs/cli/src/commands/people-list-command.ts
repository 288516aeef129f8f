import { paginate, type Schema } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { printTable, type Column } from '../terminal/table.js';
import { collect, listOptions } from './collect.js';

const columns: readonly Column<Schema<'User'>>[] = [
  { heading: 'ID', text: ({ user_id }) => user_id },
  { heading: 'ROLE', text: ({ role }) => role },
  { heading: 'SEAT', text: ({ seat }) => seat },
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'E-MAIL', text: ({ email }) => email },
  { heading: 'NAME', text: ({ name }) => name ?? '-' },
];

/** `vaultsvc people list` */
export const peopleListCommand: Command = {
  name: 'people list',
  summary: 'Lists the people of the account, oldest first, and those who are invited.',
  options: listOptions,
  examples: [['Who has not accepted yet?', 'vaultsvc people list | grep invited']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const people = await collect(invocation, paginate(api.client(), '/v1/users'));
    printTable(output, { people }, people, columns);
  },
};
