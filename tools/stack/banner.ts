import { relative } from 'node:path';
import type { StackDescription } from './descriptor.ts';
import { stackPaths, workspace } from './settings.ts';

/** The part of the description that the text shows. */
export type ShownStack = Pick<
  StackDescription,
  | 'api_url'
  | 'forge_url'
  | 'link_url'
  | 'files_url'
  | 'identity_url'
  | 'mail_url'
  | 'chat_api_url'
  | 'crma_api_url'
  | 'crmb_api_url'
  | 'postgres_url'
  | 'services'
  | 'account'
>;

/**
 * The text after a start: addresses, the credentials as one `export` line, and commands to paste that use them. Only the
 * `export` line is wider than 100 columns.
 * @param stack the content of stack.json
 * @param dir the folder of the stack
 */
export function banner(stack: ShownStack, dir: string): string {
  return [
    '',
    ...addresses(stack, dir),
    '',
    '  Try it in another terminal; the second read is refused:',
    '',
    ...examples(stack.api_url, stack.account.api_key ?? ''),
    '',
  ].join('\n');
}

function addresses(stack: ShownStack, dir: string) {
  return [
    ['App', `${stack.api_url} (any e-mail address signs in)`],
    ['API', stack.api_url],
    ['Reference', `${stack.api_url}/docs`],
    ['Identity', `${stack.identity_url}/signin (the local provider, as API clients use it)`],
    ['Messages', stack.mail_url],
    ['Providers', `${stack.chat_api_url} (chat), ${stack.crma_api_url}, ${stack.crmb_api_url} (CRMs)`],
    ['Forge', stack.forge_url],
    ['Link pages', stack.link_url],
    ['File pages', stack.files_url],
    ['PostgreSQL', new URL(stack.postgres_url).host],
    [
      'Metrics',
      `${stack.services.gateway?.private_url}/metrics (gateway); others: private_url in stack.json`,
    ],
    ['Logs', `${variableOf(dir)}npm run logs`],
    ['Account', `${stack.account.account_id} (${stack.account.owner_email})`],
  ].map(([name, value]) => `  ${name?.padEnd(12)}${value}`);
}

/** What other commands need in front of them to find this stack. */
function variableOf(dir: string) {
  if (dir === stackPaths({}).dir) return '';
  const inside = relative(workspace, dir);
  const shown = inside.startsWith('..') ? dir : inside;
  return `VAULTSVC_DIR=${/^[\w./@:+-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`} `;
}

/** Creates a Spark and reads it twice. */
function examples(api: string, key: string) {
  const read = 'curl -s $VAULTSVC_URL/v1/sparks/$id -H "X-API-Key: $VAULTSVC_API_KEY"; echo';
  return [
    `export VAULTSVC_URL=${api} VAULTSVC_API_KEY=${key}`,
    'id=$(curl -s $VAULTSVC_URL/v1/sparks -H "X-API-Key: $VAULTSVC_API_KEY" \\',
    `  -H 'Content-Type: application/json' -d '{"payload":"hello"}' | grep -o 'spk_[^"]*'); echo $id`,
    read,
    read,
  ].map((line) => `  ${line}`);
}
