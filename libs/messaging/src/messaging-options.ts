import type { ServiceConfig } from '@vaultsvc/config';

export const NATS = Symbol('NatsConnection');
export const MESSAGING_OPTIONS = Symbol('MessagingOptions');

export interface MessagingOptions {
  readonly service: string;
  readonly config: ServiceConfig;
  /** The shard of accounts that this instance serves; 0 for a service without shards. */
  readonly shard: number;
}
