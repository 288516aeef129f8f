import { api, type Api } from '@vaultsvc/testing/http';
import { mintApiKey, mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import type { Platform } from '@vaultsvc/tools-testing/platform';

/** An account of the platform with its owner, an API key and their clients. */
export interface Tenant {
  readonly platform: Platform;
  readonly accountId: string;
  readonly ownerSession: TestSession;
  readonly owner: Api;
  readonly apiKey: string;
  readonly key: Api;
}

/** Creates an account with a signed-in owner and an API key. */
export async function newTenant(platform: Platform): Promise<Tenant> {
  const ownerSession = await mintSession(platform.auth);
  const accountId = ownerSession.accountId as string;
  const { apiKey } = await mintApiKey(platform.auth, { accountId });
  return {
    platform,
    accountId,
    ownerSession,
    owner: api(platform.url, { jwt: ownerSession.token }),
    apiKey,
    key: api(platform.url, { key: apiKey }),
  };
}
