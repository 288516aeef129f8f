import { operation } from './operation.js';
import { Text } from './fields.js';

export class ServiceHealth {
  @Text({ max: 20 }) status: string;
  @Text({ max: 100 }) version: string;
}

/** Every service answers this over NATS: it proves the way from the gateway to a handler. */
export function healthOperation<const S extends string>(service: S) {
  return operation({
    name: `${service}.health`,
    summary: 'Whether the service can do its work now.',
    access: 'internal',
    reply: ServiceHealth,
    repeatable: true,
  });
}
