// The server code of the stack that libs/testing uses.
export { serviceGrants } from '../kms/grants.ts';
export { untilStreamsAreKept } from '../stack/servers/nats-cluster.ts';
export { failOver, urlOfPair, withAdmin, type PostgresPair } from '../stack/servers/postgres-pair.ts';
export { kmsSecret, PrivateServers } from '../stack/servers/private-servers.ts';
export { redisAccess } from '../stack/servers/redis-access.ts';
export type { Server as RunningServer } from '../stack/servers/server.ts';
export { ownerOf, provisionSchema, revokePublicAccess } from '../stack/servers/schema.ts';
export { servicesWithKeys } from '../stack/settings.ts';
export { sharedServersOfRun } from './test-run.ts';
export { natsUsersOf, wireSettings } from './test-wire.ts';
