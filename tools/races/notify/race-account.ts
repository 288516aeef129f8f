import { completeSignup, createApiKey, verifyIdentity } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { identityAt } from '@vaultsvc/tools-testing/identity-client';

/** The fields of `stack.json` that the races use. */
export interface RaceStack {
  readonly api_url: string;
  readonly oidc: { readonly issuer: string; readonly client_id: string; readonly redirect_uri: string };
}

/** Lets one account send as much as a race needs. */
export const raceBudgets = {
  MAILS_PER_HOUR: '1000000',
  TEXTS_PER_HOUR: '1000000',
  OTHER_MESSAGES_PER_HOUR: '1000000',
};

/** A client with the API key of a new account. */
export async function signUp({ api_url, oidc }: RaceStack): Promise<Api> {
  const { issuer, client_id: clientId, redirect_uri: redirectUri } = oidc;
  const email = `${newId('owner_')}@race.example`;
  const token = await identityAt({ issuer, clientId, redirectUri }).idToken({ email });
  const { access_token } = succeeded(await api(api_url).call(verifyIdentity, { body: { token } }));
  const body = { organization_name: 'Race' };
  const owner = succeeded(await api(api_url, { jwt: access_token }).call(completeSignup, { body }));
  const session = api(api_url, { jwt: owner.access_token });
  const { api_key } = succeeded(await session.call(createApiKey, { body: { name: 'race' } }));
  return api(api_url, { key: api_key });
}
