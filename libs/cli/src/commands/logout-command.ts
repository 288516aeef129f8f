import type { Command } from '../command-line/command.js';

/** `vaultsvc logout` */
export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Ends the session and deletes the stored credentials of the API.',
  notes: ['An API key stays valid: revoke it in the account if it may be known to others.'],
  examples: [['Forget the credentials of the current API', 'vaultsvc logout']],
  run: async ({ context }) => {
    const { api, store, output } = context;
    const { url } = api;
    const { session } = store.server(url);
    // Without the network the tokens are deleted here all the same; they expire by themselves.
    if (session) await api.endSession(url).catch(() => output.note('The session could not be ended.'));
    await store.logout(url);
    output.result({ url }, '');
    output.note(`Logged out of ${url}.`);
  },
};
