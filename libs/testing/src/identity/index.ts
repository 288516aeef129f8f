export { authorize, type OidcClient, type ProvedCode } from './authorization.js';
export { identityAt, type IdentityClient, type Person } from './identity-client.js';
export { startIdentity, type TestIdentity } from './test-identity.js';
