import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { secondsOf } from '../duration.js';
import { findVault, unsealVault } from './vault-access.js';

const SECONDS_MAX = 86_400;

/** `vaultsvc vault open` */
export const vaultOpenCommand: Command = {
  name: 'vault open',
  summary: 'Opens a vault for a time: upload, download and secrets work until then.',
  arguments: [{ name: 'vault', summary: 'Name or id.' }],
  options: {
    'key-stdin': { summary: 'Read the master key or a delegated key from the standard input.' },
    expires: { value: 'duration', summary: 'How long: 1m to 1d. The default is 1h.', field: 'ttl_seconds' },
  },
  notes: [
    'The key is typed without echo and not kept; one that vault create --save kept is used. The token that it opens is kept with mode 0600 until it expires.',
  ],
  examples: [
    ['Type the master key', 'vaultsvc vault open contracts'],
    [
      'Pipe it, for eight hours',
      'pass show vaults/contracts | vaultsvc vault open contracts --key-stdin --expires 8h',
    ],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const ttl_seconds = ttlOf(invocation);
    const reference = invocation.argument('vault');
    const vaultId = await findVault(context, reference);
    const isPiped = invocation.has('key-stdin');
    const { vmk } = context.store.server(context.api.url).vaults?.[vaultId] ?? {};
    const key = vmk !== undefined && !isPiped ? vmk : await readVaultKey(context, isPiped);
    const body = key.startsWith('dvak_') ? { dvak_token: key } : { vmk: key };
    const { expires_at } = await unsealVault(context, vaultId, { ...body, ttl_seconds });
    context.output.result({ vault_id: vaultId, expires_at }, '');
    context.output.note(`The vault is open until ${new Date(expires_at * 1_000).toISOString()}.`);
  },
};

/** A master key or a delegated key. */
export async function readVaultKey({ terminal }: CliContext, isPiped: boolean): Promise<string> {
  if (isPiped) return terminal.readInputLine();
  const key = await terminal.askSecret(
    'Key of the vault (not shown): ',
    'Pipe the key and pass --key-stdin.',
  );
  if (key.trim() === '') throw new UsageError('The key is empty.');
  return key.trim();
}

function ttlOf(invocation: Invocation): number {
  const seconds = secondsOf(invocation.option('expires') ?? '1h', 'expires');
  if (seconds > SECONDS_MAX) throw new UsageError('--expires is 1d at most.');
  return seconds;
}
