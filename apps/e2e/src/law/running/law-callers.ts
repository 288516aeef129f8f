import { mintToken } from '@vaultsvc/crypto/tokens';
import type { Credentials } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { identityOnly } from '../../access/callers.js';
import type { Tenant } from '../../access/tenant.js';
import type { CallerName } from '../row.js';

/** Gives the credentials of a caller; a sign-up consumes an identity-only session, so each call gets a new one. */
export type LawCallers = (name: CallerName, invitee?: string) => Promise<Credentials> | Credentials;

/** One caller of each kind, of the tenant's account. */
export async function lawCallersOf(tenant: Tenant): Promise<LawCallers> {
  const { platform, accountId, apiKey, ownerSession } = tenant;
  const session = async (role: 'admin' | 'member', seat: 'full' | 'viewer') =>
    (await mintSession(platform.auth, { accountId, role, seat })).token;
  const fixed: Partial<Record<CallerName, Credentials>> = {
    anonymous: {},
    'unknown key': { key: mintToken('apikey').text },
    'API key': { key: apiKey },
    member: { jwt: await session('member', 'full') },
    viewer: { jwt: await session('member', 'viewer') },
    admin: { jwt: await session('admin', 'full') },
    owner: { jwt: ownerSession.token },
  };
  return (name, invitee) => fixed[name] ?? identityOnly(tenant, invitee);
}
