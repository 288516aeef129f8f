// What libs/testing takes from the stack's server code.
export { PrivateServers } from '../stack/servers/private-servers.mjs';
export { closeToPublic, provisionSchema } from '../stack/servers/schema.mjs';
export { sharedServersOfRun } from './test-run.mjs';
/** @typedef {import('../stack/servers/server.mjs').Server} RunningServer */
