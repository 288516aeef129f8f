import type { Command } from '../command-line/command.js';
import { timeText } from '../terminal/time-text.js';
import { findPerson, personArgument } from './person.js';

/** `vaultsvc people resend` */
export const peopleResendCommand: Command = {
  name: 'people resend',
  summary: 'Sends the invitation of a person again.',
  arguments: [personArgument],
  notes: ['The invitation can then be accepted for 14 days more.'],
  examples: [['The mail was lost', 'vaultsvc people resend ben@example.com']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const client = api.client();
    const { user_id, email } = await findPerson(client, invocation.argument('person'));
    const params = { path: { user_id } };
    const { data } = await client.POST('/v1/users/{user_id}/invitation/resend', { params });
    output.result(data, '');
    output.note(`${email} is invited again, until ${timeText(data.expires_at)}.`);
  },
};
