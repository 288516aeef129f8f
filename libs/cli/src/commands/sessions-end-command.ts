import type { Command } from '../command-line/command.js';
import { confirmed, yesOption } from './confirmation.js';

/** `vaultsvc sessions end` */
export const sessionsEndCommand: Command = {
  name: 'sessions end',
  summary: 'Ends one of your sessions: whoever uses it has to sign in again.',
  arguments: [{ name: 'session', summary: 'The id, from vaultsvc sessions list.', field: 'session_id' }],
  options: yesOption,
  notes: ['vaultsvc logout ends the session of the command line itself.'],
  examples: [['A lost phone', 'vaultsvc sessions end 0f4b9a52-7c1e-4d3a-9b68-2e5d1c7f8a90']],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const session_id = invocation.argument('session');
    await confirmed(invocation, `End the session ${session_id}?`);
    await api.client().DELETE('/v1/me/sessions/{session_id}', { params: { path: { session_id } } });
    output.result({ session_id, ended: true }, '');
    output.note('The session is ended.');
  },
};
