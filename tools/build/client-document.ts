import type { PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { openApiOf } from '../../apps/gateway/src/reference/openapi/openapi.js';

/** The OpenAPI document from which the client's types are generated. Its origins do not appear in them. */
export function clientDocument(): object {
  return openApiOf(operations, {
    version: '1',
    origin: 'https://api.example.com',
    linkOrigins: ['https://links.example.com', 'https://files.example.com'],
    forgeOrigin: 'https://forge.example.com',
  });
}

/** The calls that only read, as the gateway knows them: `GET /v1/me`. Reading a Spark is none, because it consumes it. */
export function repeatableCalls(): string[] {
  return operations
    .filter(({ repeatable }: PublicOperation) => repeatable === true)
    .map(({ http: { method, path } }) => `${method} ${path}`)
    .sort();
}
