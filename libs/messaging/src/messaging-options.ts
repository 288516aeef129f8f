import type { ServiceConfig } from '@vaultsvc/config';

export const NATS = Symbol('NatsConnection');
export const MESSAGING_OPTIONS = Symbol('MessagingOptions');

export interface MessagingOptions {
  readonly service: string;
  readonly config: ServiceConfig;
}
