import { paginate, type Client } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import { readDeployment } from '../api/deployment.js';
import { parseLink } from '../api/link-visitor.js';
import type { Command } from '../command-line/command.js';
import { exitCodes } from '../exit-codes.js';
import { CliError, UsageError } from '../failures.js';
import { confirmed, yesOption } from './confirmation.js';

/** `vaultsvc links revoke` */
export const linksRevokeCommand: Command = {
  name: 'links revoke',
  summary: 'Ends links, so that nobody can open them any more. Spark and file are kept.',
  arguments: [
    {
      name: 'link',
      summary: 'Links, their codes, or ids of a Spark (spk_…) or file (ing_…) whose links all end.',
      isRepeated: true,
      field: 'link_code',
    },
  ],
  options: yesOption,
  examples: [
    ['One link', 'vaultsvc links revoke https://link.example.com/hT5vX9kQm2Zr7nLs'],
    ['All links of a file', 'vaultsvc links revoke ing_6nQ0bVtX4yKfWm2RzLc8Ha --yes'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    const client = api.client();
    const codes: string[] = [];
    for (const reference of invocation.argumentList('link'))
      codes.push(...(await codesOf(invocation.context, client, reference)));
    const [code] = codes;
    await confirmed(invocation, codes.length === 1 ? `Revoke ${code}?` : `Revoke ${codes.length} links?`);
    for (const link_code of codes)
      await client.DELETE('/v1/sparklinks/{link_code}', { params: { path: { link_code } } });
    output.result({ revoked: codes }, '');
    output.note(codes.length === 1 ? 'The link is revoked.' : `${codes.length} links are revoked.`);
  },
};

/** The codes of the links that a word of the command line means. */
async function codesOf(context: CliContext, client: Client, reference: string): Promise<string[]> {
  const link = parseLink(reference);
  if (link) await assertOwn(context, client, link.origin);
  if (link) return [link.code];
  if (/^https?:/.test(reference)) throw new UsageError('This URL is not that of a link.');
  if (!/^(?:spk|ing)_/.test(reference)) return [reference];
  const codes: string[] = [];
  for await (const { asset_id, status, link_code } of paginate(client, '/v1/sparklinks'))
    if (asset_id === reference && status === 'active') codes.push(link_code);
  if (codes.length === 0) throw new CliError(`There is no active link of ${reference}.`, exitCodes.gone);
  return codes;
}

/**
 * The code of a link of another deployment would be unknown here. Origins may have changed since the login.
 * @throws UsageError
 */
async function assertOwn({ api, store }: CliContext, client: Client, origin: string): Promise<void> {
  const known = store.server(api.url).deployment?.origins;
  if (!known || [known.links, known.files].includes(origin)) return;
  const { links, files } = (await readDeployment(client))?.origins ?? known;
  if (![links, files].includes(origin))
    throw new UsageError(`The link is of ${origin}, but links of this account are of ${links}.`);
}
