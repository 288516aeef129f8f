import type { Command } from '../command-line/command.js';
import { findPerson, personArgument, roles, seatOf, seatOption, type Role } from './person.js';

/** `vaultsvc people role` */
export const peopleRoleCommand: Command = {
  name: 'people role',
  summary: 'Changes what a person may do in the account.',
  arguments: [
    personArgument,
    { name: 'role', summary: 'owner and admin manage people and keys.', choices: roles, field: 'role' },
  ],
  options: seatOption,
  notes: [
    'The change applies from the next request of the person on. An account keeps at least one owner. Only an owner who has signed in changes owners.',
  ],
  examples: [['Ben becomes an admin', 'vaultsvc people role ben@example.com admin']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const client = api.client();
    const { user_id } = await findPerson(client, invocation.argument('person'));
    const body = { role: invocation.argument('role') as Role, seat: seatOf(invocation) };
    const { data } = await client.PATCH('/v1/users/{user_id}', { params: { path: { user_id } }, body });
    output.result(data, '');
    output.note(`${data.email} is ${data.role} now, with a ${data.seat} seat.`);
  },
};
