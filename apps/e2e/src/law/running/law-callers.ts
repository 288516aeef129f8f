import { mintToken } from '@vaultsvc/crypto/tokens';
import type { Credentials } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { identityOnly } from '../../access/callers.js';
import type { Tenant } from '../../access/tenant.js';
import type { CallerName } from '../row.js';

/** Gives the credentials of a caller; a sign-up consumes an identity-only session, so each call gets a new one. */
export type LawCallers = (name: CallerName, invitee?: string) => Promise<Credentials> | Credentials;

type Making = () => Promise<Credentials> | Credentials;

/** One caller of each kind, of the tenant's account. Sessions are opened when they are needed. */
export function lawCallersOf(tenant: Tenant): LawCallers {
  const { platform, accountId, apiKey, ownerSession } = tenant;
  const session = (role: 'admin' | 'member', seat: 'full' | 'viewer') => async () => ({
    jwt: (await mintSession(platform.auth, { accountId, role, seat })).token,
  });
  const made: Readonly<Record<Exclude<CallerName, 'identity-only'>, Making>> = {
    anonymous: () => ({}),
    'unknown key': () => ({ key: mintToken('apikey').text }),
    'API key': () => ({ key: apiKey }),
    member: session('member', 'full'),
    viewer: session('member', 'viewer'),
    admin: session('admin', 'full'),
    owner: () => ({ jwt: ownerSession.token }),
  };
  const kept = new Map<CallerName, ReturnType<Making>>();
  return (name, invitee) => {
    if (name === 'identity-only') return identityOnly(tenant, invitee);
    const credentials = kept.get(name) ?? made[name]();
    kept.set(name, credentials);
    return credentials;
  };
}
