export { identityAt, type IdentityClient, type Person, type ProvedCode } from './identity-client.js';
export { startIdentity, type TestIdentity } from './test-identity.js';
