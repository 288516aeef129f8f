import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey } from '@vaultsvc/contracts/auth';
import { listAccountAudit } from '@vaultsvc/contracts/reporting';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { cliBundle } from '../../../../tools/build/cli-package.ts';
import { newEmail, signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import { workspace } from './guide-pages.js';

/**
 * A folder without a clone, and the variables. It has a `stack.json` for a new account, so that a guide changes nothing that other
 * tests use, and what its reader has installed: the command line and the client, as the build made them.
 */
export async function folderOfNewAccount(): Promise<{ folder: string; env: Record<string, string> }> {
  const owner_email = newEmail();
  const { client, session } = await signUpOrganization('Guides', { email: owner_email });
  const { api_key } = succeeded(await client.call(createApiKey, { body: { name: 'Guide' } }));
  const audit = async () => succeeded(await client.call(listAccountAudit, { query: { limit: 5 } }));
  await eventually(audit, ({ count }) => count > 0); // The guide on the audit log changes an entry.
  const account_id = session.account?.account_id;
  const organization_name = session.account?.organization_name;
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-guide-'));
  const account = { account_id, organization_name, owner_email, api_key };
  writeFileSync(join(folder, 'stack.json'), JSON.stringify({ ...stack(), account }));
  const bin = installInto(folder);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    VAULTSVC_DIR: folder,
    VAULTSVC_URL: stack().api_url,
    VAULTSVC_API_KEY: api_key,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  return { folder, env };
}

/** Returns the folder of commands. */
function installInto(folder: string): string {
  const [bin, packages] = [join(folder, 'bin'), join(folder, 'node_modules/@vaultsvc')];
  for (const path of [bin, packages]) mkdirSync(path, { recursive: true });
  const program = join(workspace, 'libs/cli/dist', cliBundle);
  writeFileSync(join(bin, 'vaultsvc'), `#!/bin/sh\nexec node '${program}' "$@"\n`, { mode: 0o755 });
  symlinkSync(join(workspace, 'libs/client/dist'), join(packages, 'client'));
  return bin;
}
