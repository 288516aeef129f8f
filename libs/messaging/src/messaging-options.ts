import type { ServiceConfig } from '@vaultsvc/config';

export const NATS = Symbol('NatsConnection');
export const MESSAGING_OPTIONS = Symbol('MessagingOptions');

export interface MessagingOptions {
  readonly service: string;
  readonly config: ServiceConfig;
  /** The shards of accounts that its database holds; those of a service without shards: [0]. */
  readonly shards: readonly number[];
}
