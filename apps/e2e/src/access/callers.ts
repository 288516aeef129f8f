import type { Role, Seat } from '@vaultsvc/contracts';
import {
  completeSignup,
  endSession,
  mintViewerToken,
  removeUser,
  revokeApiKey,
} from '@vaultsvc/contracts/auth';
import { mintToken } from '@vaultsvc/crypto/tokens';
import { api, succeeded, type Credentials } from '@vaultsvc/testing/http';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import { forgeTokens } from '@vaultsvc/tools-testing/forged-tokens';
import type { CallerKind } from './expected-answer.js';
import type { Tenant } from './tenant.js';

/** A caller, with its kind in the requirements. */
export interface Caller {
  readonly name: string;
  readonly kind: CallerKind;
  /**
   * Called before each operation, because a sign-up consumes its session.
   * @param invitee the address of an identity-only caller; by default an address without an invitation
   */
  credentials(invitee?: string): Credentials | Promise<Credentials>;
}

const INVALID: CallerKind = { kind: 'invalid' };
const API_KEY: CallerKind = { kind: 'api-key' };

/** Callers of every kind; those with an account belong to the tenant. */
export async function callersOf(tenant: Tenant): Promise<Caller[]> {
  const { apiKey, ownerSession } = tenant;
  const good = { key: apiKey, jwt: ownerSession.token };
  return [
    caller('no credential', { kind: 'anonymous' }, {}),
    caller('unknown API key', INVALID, { key: unknownKey() }),
    ...(await invalidKeys(tenant)),
    ...(await invalidSessions(tenant)),
    ...(await misplacedSecrets(tenant)),
    caller('an invalid API key with a valid token', INVALID, { ...good, key: unknownKey() }),
    caller('identity-only session', { kind: 'identity-only' }, (email) => identityOnly(tenant, email)),
    caller('API key', API_KEY, { key: apiKey }),
    caller('a valid API key with an invalid token', API_KEY, { ...good, jwt: `${good.jwt}x` }),
    await person(tenant, 'owner', 'full'),
    await person(tenant, 'admin', 'full'),
    await person(tenant, 'admin', 'viewer'),
    await person(tenant, 'member', 'full'),
    await person(tenant, 'member', 'viewer'),
  ];
}

function caller(name: string, kind: CallerKind, given: Credentials | Caller['credentials']): Caller {
  return { name, kind, credentials: typeof given === 'function' ? given : () => given };
}

async function person({ platform, accountId }: Tenant, role: Role, seat: Seat): Promise<Caller> {
  const { token } = await mintSession(platform.auth, { accountId, role, seat });
  return caller(`${role}, ${seat} seat`, { kind: 'session', role, seat }, { jwt: token });
}

/** The credentials of a person without an account, with this address or a new one. */
export async function identityOnly({ platform }: Tenant, email?: string): Promise<Credentials> {
  return { jwt: (await mintSession(platform.auth, { sessionType: 'identity_only', email })).token };
}

/** Formerly valid keys: one is revoked while the gateway has it cached, the others before their first use. */
async function invalidKeys(tenant: Tenant): Promise<Caller[]> {
  const { platform, accountId, owner } = tenant;
  const [revoked, expired, suspended] = await Promise.all([
    mintApiKey(platform.auth, { accountId }),
    mintApiKey(platform.auth, { accountId, expiresInDays: 1 }),
    mintApiKey(platform.auth),
  ]);
  await assertValid(tenant, { key: revoked.apiKey });
  succeeded(await owner.call(revokeApiKey, { params: { api_key_id: revoked.apiKeyId } }));
  await platform.authSql(
    `UPDATE api_keys SET created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'
      WHERE id = $1`,
    [expired.apiKeyId],
  );
  await platform.authSql(`UPDATE accounts SET status = 'suspended', version = version + 1 WHERE id = $1`, [
    suspended.accountId,
  ]);
  return [
    caller('revoked API key', INVALID, { key: revoked.apiKey }),
    caller('expired API key', INVALID, { key: expired.apiKey }),
    caller('API key of a suspended account', INVALID, { key: suspended.apiKey }),
  ];
}

/** Sessions that were valid and in use. */
async function invalidSessions(tenant: Tenant): Promise<Caller[]> {
  const { platform, accountId, owner, ownerSession } = tenant;
  const [loggedOut, removed, signedUp] = await Promise.all([
    mintSession(platform.auth, { accountId }),
    mintSession(platform.auth, { accountId }),
    mintSession(platform.auth, { sessionType: 'identity_only' }),
  ]);
  for (const { token } of [loggedOut, removed]) await assertValid(tenant, { jwt: token });
  succeeded(await api(platform.url).call(endSession, { body: { refresh_token: loggedOut.refreshToken } }));
  succeeded(await owner.call(removeUser, { params: { user_id: removed.subject } }));
  succeeded(
    await api(platform.url, { jwt: signedUp.token }).call(completeSignup, {
      body: { organization_name: 'Signed up' },
    }),
  );
  const forged = await forgeTokens(platform.auth, ownerSession);
  return [
    caller('session after its logout', INVALID, { jwt: loggedOut.token }),
    caller('session of a removed user', INVALID, { jwt: removed.token }),
    caller('identity-only session after its sign-up', INVALID, { jwt: signedUp.token }),
    caller('expired access token', INVALID, { jwt: forged['expired a minute ago'] }),
  ];
}

/** Valid secrets of another kind. */
async function misplacedSecrets({ owner, apiKey, ownerSession }: Tenant): Promise<Caller[]> {
  const { viewer_token: viewerToken } = succeeded(await owner.call(mintViewerToken, {}));
  return [
    caller('viewer token', INVALID, { jwt: viewerToken }),
    caller('API key as a bearer token', INVALID, { jwt: apiKey }),
    caller('access token as an API key', INVALID, { key: ownerSession.token }),
    caller('refresh token as a bearer token', INVALID, { jwt: ownerSession.refreshToken }),
  ];
}

/** A well-formed key that does not exist. */
function unknownKey(): string {
  return mintToken('apikey').text;
}

/** Ensures that a credential is valid before the test invalidates it. */
async function assertValid({ platform }: Tenant, credentials: Credentials): Promise<void> {
  const { status } = await api(platform.url, credentials).send({ method: 'GET', target: '/v1/api-keys' });
  if (status !== 200) throw new Error(`a credential that should be valid is answered ${status}`);
}
