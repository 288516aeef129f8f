// The server code of the stack that libs/testing uses.
export { serviceGrants } from '../kms/grants.mjs';
export { kmsSecret, PrivateServers } from '../stack/servers/private-servers.mjs';
export { redisAccess } from '../stack/servers/redis-access.mjs';
export { ownerOf, provisionSchema, revokePublicAccess } from '../stack/servers/schema.mjs';
export { servicesWithKeys } from '../stack/settings.mjs';
export { sharedServersOfRun } from './test-run.mjs';
/** @typedef {import('../stack/servers/server.mjs').Server} RunningServer */
export { natsUsersOf, wireSettings } from './test-wire.mjs';
