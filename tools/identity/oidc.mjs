import { Provider } from 'oidc-provider';
import { refusalPage } from './pages/refusal.mjs';
import { signingAlgorithm } from './state.mjs';

/** What a session of ours is opened with: who it is, a verified address, a name. */
export const scope = 'openid email profile';

const tokenSeconds = 3600;

/** On unless told otherwise, and of no use here. */
const unused = ['devInteractions', 'rpInitiatedLogout', 'pushedAuthorizationRequests', 'dPoP'];

/**
 * An OpenID Connect provider with one public client: code flow with PKCE, claims in the ID token, no consent step.
 * @param {object} options
 * @param {string} options.issuer its own origin
 * @param {string} options.clientId
 * @param {string[]} options.redirectUris
 * @param {import('./state.mjs').State} options.state
 * @param {import('./people.mjs').People} options.people
 */
export function makeProvider({ issuer, clientId, redirectUris, state, people }) {
  return new Provider(issuer, {
    clients: [publicClient(clientId, redirectUris)],
    jwks: { keys: [state.signing_key] },
    cookies: { keys: [state.cookie_key] },
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    responseTypes: ['code'],
    scopes: scope.split(' '),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // OIDC core 5.4 moves scope claims to the userinfo endpoint; then a token for a script would say less than ours.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: Object.fromEntries(unused.map((name) => [name, { enabled: false }])),
    clientAuthMethods: ['none'],
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => accountOf(people, sub),
    loadExistingGrant: grantWithoutAsking,
    // Browsers never call the token endpoint: the API exchanges the code.
    clientBasedCORS: () => false,
    renderError: showRefusal,
    ttl: {
      IdToken: tokenSeconds,
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      Interaction: tokenSeconds,
      Session: tokenSeconds,
      Grant: tokenSeconds,
    },
  });
}

/**
 * @param {string} clientId
 * @param {string[]} redirectUris
 */
function publicClient(clientId, redirectUris) {
  return {
    client_id: clientId,
    token_endpoint_auth_method: 'none',
    redirect_uris: redirectUris,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    id_token_signed_response_alg: signingAlgorithm,
  };
}

/**
 * @param {import('./people.mjs').People} people
 * @param {string} sub
 */
function accountOf(people, sub) {
  const claims = people.claims(sub);
  return claims && { accountId: sub, claims: () => claims };
}

/** Whoever signs in here means it: there is one client, and it is ours. */
async function grantWithoutAsking(ctx) {
  const { client, session, provider } = ctx.oidc;
  const known = session.grantIdFor(client.clientId);
  const found = known && (await provider.Grant.find(known));
  if (found) return found;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(scope);
  await grant.save();
  return grant;
}

/** What cannot be sent back to the client is told to the person. */
function showRefusal(ctx, { error, error_description }) {
  const { text, policy } = refusalPage(`${error}${error_description ? `: ${error_description}` : ''}`);
  ctx.set('content-security-policy', policy);
  ctx.type = 'html';
  ctx.body = text;
}
