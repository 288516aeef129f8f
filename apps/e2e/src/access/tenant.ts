import { mintApiKey, mintSession, type TestSession } from '@vaultsvc/testing/auth';
import { api, type Answer, type Api } from '@vaultsvc/testing/http';
import type { Platform } from '@vaultsvc/testing/platform';

/** An account of the platform, with what a test needs to use it. */
export interface Tenant {
  readonly platform: Platform;
  readonly accountId: string;
  readonly ownerSession: TestSession;
  readonly owner: Api;
  readonly apiKey: string;
  readonly key: Api;
}

/** A new account with an owner who is signed in and an API key. */
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

/** The data of an answer that a test needs in order to begin. */
export function succeeded<T>({ status, error, data }: Answer<T>): T {
  if (status >= 300) throw new Error(`set-up: ${status} ${error?.code ?? ''} ${error?.message ?? ''}`);
  return data as T;
}
