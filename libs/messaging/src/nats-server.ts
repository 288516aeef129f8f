import type { ServerInfo } from '@nats-io/transport-node';

/** NATS cannot be used as it is. The message names the servers, and what is wrong or what they lack. */
export class NatsUnusable extends Error {
  override readonly name = 'NatsUnusable';

  constructor(servers: readonly string[], problem: string, options?: ErrorOptions) {
    super(`NATS at ${servers.map(withoutUser).join(', ')}: ${problem}`, options);
  }
}

/** A valid reply with structured data has more than NATS' default of 1 MiB. */
const PAYLOAD_BYTES_MIN = 16 * 1_024 * 1_024;
/** The first release whose `sync_interval: always` was found to hold. */
const RELEASE = [2, 10, 23] as const;

type Facts = Pick<ServerInfo, 'version' | 'jetstream' | 'headers' | 'max_payload'>;

/** What a server lacks for a service to work at all; undefined if nothing. */
export function lackOf({ jetstream, headers, max_payload }: Facts): string | undefined {
  if (!headers) return 'the server has no headers, in which calls carry their context';
  if (!jetstream) return 'JetStream is not enabled: the configuration of npm run provision has it';
  if (max_payload < PAYLOAD_BYTES_MIN)
    return `max_payload is ${max_payload}, and must be at least ${PAYLOAD_BYTES_MIN} (16MB)`;
  return undefined;
}

/** What an older release of the server lacks, without which a service works with less; undefined if nothing. */
export function weaknessOf({ version }: Facts): string | undefined {
  const parts = version.split(/[.-]/).map(Number);
  const place = RELEASE.findIndex((part, index) => part !== parts[index]);
  const isOlder = place >= 0 && (parts[place] ?? 0) < (RELEASE[place] ?? 0);
  if (!isOlder) return undefined;
  return `NATS ${version} lacks sync_interval: a power failure loses events that it has acknowledged, which the outboxes publish again later. Use ${RELEASE.join('.')} or later`;
}

function withoutUser(server: string): string {
  return server.replace(/\/\/[^@/]*@/, '//');
}
