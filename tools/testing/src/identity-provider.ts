import { sharedServersOfRun, testClientId } from '../../test/test-run.ts';
import { identityAt, type IdentityClient } from './identity-client.js';

/** The local stack's identity provider, one for all spec files of a run. */
export interface TestIdentity extends IdentityClient {
  /** Settings with which auth trusts the provider. */
  readonly settings: Readonly<Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_REDIRECT_URI', string>>;
}

export function sharedIdentity(): TestIdentity {
  const { identityUrl: issuer } = sharedServersOfRun();
  const redirectUri = `${issuer}/signin`;
  return {
    ...identityAt({ issuer, clientId: testClientId, redirectUri }),
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: testClientId, OIDC_REDIRECT_URI: redirectUri },
  };
}
