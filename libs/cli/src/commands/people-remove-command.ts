import type { Command } from '../command-line/command.js';
import { confirmed, yesOption } from './confirmation.js';
import { findPerson, personArgument } from './person.js';

/** `vaultsvc people remove` */
export const peopleRemoveCommand: Command = {
  name: 'people remove',
  summary: 'Removes a person from the account, or withdraws an invitation.',
  arguments: [personArgument],
  options: yesOption,
  notes: ['Sessions and delegated keys of the person end at once. What the person has stored stays.'],
  examples: [['Somebody who has left', 'vaultsvc people remove ben@example.com']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const client = api.client();
    const { user_id, email, status } = await findPerson(client, invocation.argument('person'));
    const what = status === 'invited' ? `Withdraw the invitation of ${email}?` : `Remove ${email}?`;
    await confirmed(invocation, what);
    await client.DELETE('/v1/users/{user_id}', { params: { path: { user_id } } });
    output.result({ user_id, email, removed: true }, '');
    output.note(status === 'invited' ? 'The invitation is withdrawn.' : `${email} is removed.`);
  },
};
