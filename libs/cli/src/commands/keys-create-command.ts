import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import { printOnce, secretDestination, secretOutOption } from './secret-result.js';

/** `vaultsvc keys create` */
export const keysCreateCommand: Command = {
  name: 'keys create',
  summary: 'Creates an API key, and prints it once.',
  arguments: [{ name: 'name', summary: 'What the key is for, such as "backup job".', field: 'name' }],
  options: {
    days: {
      value: 'days',
      summary: 'Days until the key expires: 1 to 3650. Without it the key does not expire.',
      field: 'expires_in_days',
    },
    ...secretOutOption,
  },
  notes: [
    'A key has full access to the account, but not to the content of its vaults. It cannot be shown again.',
  ],
  examples: [
    ['Into a password manager', 'vaultsvc keys create "backup job" | pass insert -e vaultsvc/backup'],
    ['Into a new file with mode 0600', 'vaultsvc keys create "backup job" --days 90 --out backup.key'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const expires_in_days = daysOf(invocation.option('days'));
    const client = api.client();
    const destination = await secretDestination(invocation);
    const body = { name: invocation.argument('name'), expires_in_days };
    await printOnce(invocation, destination, async () => {
      const { data } = await client.POST('/v1/api-keys', { body });
      const { api_key, ...shown } = data;
      return { secret: api_key, shown, named: { api_key } };
    });
    output.note('The key is shown only now.');
  },
};

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 3_650) throw new UsageError('--days is a number from 1 to 3650.');
  return days;
}
