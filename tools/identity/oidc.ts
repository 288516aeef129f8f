import { Provider, type ClientMetadata, type ErrorOut, type KoaContextWithOIDC } from 'oidc-provider';
import type { SignedInAccounts } from './accounts.ts';
import { deviceFlow } from './device-flow.ts';
import { errorPage } from './pages/error.ts';
import { signingAlgorithm, type State } from './state.ts';

/** The scopes whose claims a session needs: subject, verified e-mail address, name. */
export const scope = 'openid email profile';

const tokenSeconds = 3600;

/** Features that oidc-provider enables by default. */
const unused = ['devInteractions', 'rpInitiatedLogout', 'pushedAuthorizationRequests', 'dPoP'];

/**
 * An OpenID Connect provider with one public client: code flow with PKCE and the device flow (RFC 8628), claims in the ID
 * token, no consent step.
 */
export function createProvider({
  issuer,
  clientId,
  redirectUris,
  state,
  accounts,
}: {
  issuer: string;
  clientId: string;
  redirectUris: string[];
  state: State;
  accounts: SignedInAccounts;
}) {
  return new Provider(issuer, {
    clients: [publicClient(clientId, redirectUris)],
    jwks: { keys: [state.signing_key] },
    cookies: { keys: [state.cookie_key] },
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    responseTypes: ['code'],
    scopes: scope.split(' '),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // OIDC core 5.4 moves scope claims to the userinfo endpoint; the API reads them from the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { ...Object.fromEntries(unused.map((name) => [name, { enabled: false }])), deviceFlow },
    clientAuthMethods: ['none'],
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => accountOf(accounts, sub),
    loadExistingGrant: grantWithoutConsent,
    // Only the API calls the token endpoint, never a browser.
    clientBasedCORS: () => false,
    renderError: showError,
    ttl: {
      IdToken: tokenSeconds,
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Interaction: tokenSeconds,
      Session: tokenSeconds,
      Grant: tokenSeconds,
    },
  });
}

function publicClient(clientId: string, redirectUris: string[]): ClientMetadata {
  return {
    client_id: clientId,
    token_endpoint_auth_method: 'none',
    redirect_uris: redirectUris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    id_token_signed_response_alg: signingAlgorithm,
  };
}

function accountOf(accounts: SignedInAccounts, sub: string) {
  const claims = accounts.claims(sub);
  return claims && { accountId: sub, claims: () => claims };
}

/** Grants all scopes without a consent step, because the product is the only client. */
async function grantWithoutConsent({ oidc: { client, session, provider } }: KoaContextWithOIDC) {
  if (!client || !session) throw new TypeError('a grant needs a client and a session');
  const known = session.grantIdFor(client.clientId);
  const found = known && (await provider.Grant.find(known));
  if (found) return found;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(scope);
  await grant.save();
  return grant;
}

/** Shows errors that cannot be returned to the client. */
function showError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut) {
  const { text, policy } = errorPage(`${error}${error_description ? `: ${error_description}` : ''}`);
  ctx.set('content-security-policy', policy);
  ctx.type = 'html';
  ctx.body = text;
}
