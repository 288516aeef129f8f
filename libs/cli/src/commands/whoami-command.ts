import type { Command } from '../command-line/command.js';

/** `vaultsvc whoami` */
export const whoamiCommand: Command = {
  name: 'whoami',
  summary: 'Shows the account and the API that commands use.',
  examples: [['In a script: is the CLI logged in?', 'vaultsvc whoami > /dev/null']],
  run: async ({ context: { api, output } }) => {
    const { data } = await api.client().GET('/v1/me');
    const { account, user, credential, role } = data;
    const shown = { url: api.url, credential, account, user, role };
    const who = user ? `${user.email}, ` : '';
    output.result(shown, `${who}${account?.organization_name ?? 'no organization'}, at ${api.url}`);
  },
};
