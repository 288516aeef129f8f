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
import type { Standing } from './expected-answer.js';
import type { Tenant } from './tenant.js';

/** Somebody who calls, and what the requirements take them for. */
export interface Caller {
  readonly name: string;
  readonly standing: Standing;
  /** Asked for before each operation: a sign-up uses its session up. */
  credentials(): Credentials | Promise<Credentials>;
}

const NOTHING: Standing = { kind: 'nothing' };
const API_KEY: Standing = { kind: 'api-key' };

/** Every kind of caller there is, all of one account as far as they have one. */
export async function callersOf(tenant: Tenant): Promise<Caller[]> {
  const { apiKey, ownerSession } = tenant;
  const good = { key: apiKey, jwt: ownerSession.token };
  return [
    caller('nobody', { kind: 'nobody' }, {}),
    caller('unknown API key', NOTHING, { key: unknownKey() }),
    ...(await deadKeys(tenant)),
    ...(await deadSessions(tenant)),
    ...(await misplaced(tenant)),
    caller('a bad API key beside a good token', NOTHING, { ...good, key: unknownKey() }),
    caller('identity-only session', { kind: 'identity-only' }, () => identityOnly(tenant)),
    caller('API key', API_KEY, { key: apiKey }),
    caller('a good API key beside a bad token', API_KEY, { ...good, jwt: `${good.jwt}x` }),
    await person(tenant, 'owner', 'full'),
    await person(tenant, 'admin', 'full'),
    await person(tenant, 'admin', 'viewer'),
    await person(tenant, 'member', 'full'),
    await person(tenant, 'member', 'viewer'),
  ];
}

function caller(name: string, standing: Standing, given: Credentials | (() => Promise<Credentials>)): Caller {
  return { name, standing, credentials: typeof given === 'function' ? given : () => given };
}

async function person({ platform, accountId }: Tenant, role: Role, seat: Seat): Promise<Caller> {
  const { token } = await mintSession(platform.auth, { accountId, role, seat });
  return caller(`${role}, ${seat} seat`, { kind: 'session', role }, { jwt: token });
}

async function identityOnly({ platform }: Tenant): Promise<Credentials> {
  return { jwt: (await mintSession(platform.auth, { sessionType: 'identity_only' })).token };
}

/** Keys that were good: one dies while the gateway knows it, the others before it has seen them. */
async function deadKeys(tenant: Tenant): Promise<Caller[]> {
  const { platform, accountId, owner } = tenant;
  const [revoked, expired, suspended] = await Promise.all([
    mintApiKey(platform.auth, { accountId }),
    mintApiKey(platform.auth, { accountId, expiresInDays: 1 }),
    mintApiKey(platform.auth),
  ]);
  await assertOpens(tenant, { key: revoked.apiKey });
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
    caller('revoked API key', NOTHING, { key: revoked.apiKey }),
    caller('expired API key', NOTHING, { key: expired.apiKey }),
    caller('API key of a suspended account', NOTHING, { key: suspended.apiKey }),
  ];
}

/** Sessions that were good and in use. */
async function deadSessions(tenant: Tenant): Promise<Caller[]> {
  const { platform, accountId, owner, ownerSession } = tenant;
  const [loggedOut, removed, signedUp] = await Promise.all([
    mintSession(platform.auth, { accountId }),
    mintSession(platform.auth, { accountId }),
    mintSession(platform.auth, { sessionType: 'identity_only' }),
  ]);
  for (const { token } of [loggedOut, removed]) await assertOpens(tenant, { jwt: token });
  succeeded(await api(platform.url).call(endSession, { body: { refresh_token: loggedOut.refreshToken } }));
  succeeded(await owner.call(removeUser, { params: { user_id: removed.subject } }));
  succeeded(
    await api(platform.url, { jwt: signedUp.token }).call(completeSignup, {
      body: { organization_name: 'Signed up' },
    }),
  );
  const forged = await forgeTokens(platform.auth, ownerSession);
  return [
    caller('session after its logout', NOTHING, { jwt: loggedOut.token }),
    caller('session of a removed user', NOTHING, { jwt: removed.token }),
    caller('identity-only session after its sign-up', NOTHING, { jwt: signedUp.token }),
    caller('expired access token', NOTHING, { jwt: forged['expired a minute ago'] }),
  ];
}

/** Good secrets in the wrong place. */
async function misplaced({ owner, apiKey, ownerSession }: Tenant): Promise<Caller[]> {
  const { viewer_token: viewerToken } = succeeded(await owner.call(mintViewerToken, {}));
  return [
    caller('viewer token', NOTHING, { jwt: viewerToken }),
    caller('API key as a bearer token', NOTHING, { jwt: apiKey }),
    caller('access token as an API key', NOTHING, { key: ownerSession.token }),
    caller('refresh token as a bearer token', NOTHING, { jwt: ownerSession.refreshToken }),
  ];
}

/** Well-formed, and of nobody. */
function unknownKey(): string {
  return mintToken('apikey').text;
}

/** A credential that never worked would be refused for no reason of interest. */
async function assertOpens({ platform }: Tenant, credentials: Credentials): Promise<void> {
  const { status } = await api(platform.url, credentials).send({ method: 'GET', target: '/v1/api-keys' });
  if (status !== 200) throw new Error(`a credential that should be good answers ${status}`);
}
