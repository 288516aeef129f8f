export { DnsServer, type DnsMode, type ReceivedQuestion } from './server.js';
export type { TxtStrings } from './zone.js';
