import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey } from '@vaultsvc/contracts/auth';
import { succeeded } from '@vaultsvc/testing/http';
import { newEmail, signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';

/** A folder with a `stack.json` for a new account, so that a guide changes nothing that other tests use, and the variables. */
export async function folderOfNewAccount(): Promise<{ folder: string; env: Record<string, string> }> {
  const owner_email = newEmail();
  const { client, session } = await signUpOrganization('Guides', { email: owner_email });
  const { api_key } = succeeded(await client.call(createApiKey, { body: { name: 'Guide' } }));
  const account_id = session.account?.account_id;
  const organization_name = session.account?.organization_name;
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-guide-'));
  const account = { account_id, organization_name, owner_email, api_key };
  writeFileSync(join(folder, 'stack.json'), JSON.stringify({ ...stack(), account }));
  const env = {
    VAULTSVC_DIR: folder,
    VAULTSVC_URL: stack().api_url,
    VAULTSVC_API_KEY: api_key,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  return { folder, env };
}
