import { operations } from '@vaultsvc/contracts/catalog';
import { openApiOf } from '../../apps/gateway/src/reference/openapi/openapi.js';

/** The OpenAPI document of this source, with example origins. */
export function currentDocument(): object {
  return openApiOf(operations, {
    version: '0.1.0',
    origin: 'https://api.vaultsvc.example',
    linkOrigins: ['https://link.vaultsvc.example', 'https://files.vaultsvc.example'],
    forgeOrigin: 'https://forge.vaultsvc.example',
  });
}
