import type { Command } from '../command-line/command.js';
import { roles, seatOf, seatOption, type Role } from './person.js';

/** `vaultsvc people invite` */
export const peopleInviteCommand: Command = {
  name: 'people invite',
  summary: 'Invites a person to the account by e-mail.',
  arguments: [{ name: 'address', summary: 'The e-mail address.', field: 'email' }],
  options: {
    name: { value: 'name', summary: 'The name until the person joins.', field: 'name' },
    role: {
      value: 'role',
      summary: 'What the person may do. The default is member.',
      choices: roles,
      field: 'role',
    },
    ...seatOption,
  },
  notes: [
    'The invitation can be accepted for 14 days. vaultsvc people remove withdraws it. Only an owner who has signed in invites an owner.',
  ],
  examples: [
    ['A colleague', 'vaultsvc people invite ben@example.com'],
    ['Somebody who manages people and keys', 'vaultsvc people invite ann@example.com --role admin'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const body = {
      email: invocation.argument('address'),
      name: invocation.option('name'),
      role: (invocation.option('role') ?? 'member') as Role,
      seat: seatOf(invocation) ?? 'full',
    };
    const { data } = await api.client().POST('/v1/users', { body });
    output.result(data, data.user_id);
    output.note(`${data.email} is invited as ${data.role}.`);
  },
};
