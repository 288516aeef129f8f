import { operations } from '@vaultsvc/contracts/catalog';
import { sourceVersion } from '../build/build-constants.ts';
import { openApiOf } from '../../apps/gateway/src/reference/openapi/openapi.js';

/** The OpenAPI document of this source, with example origins. */
export function currentDocument(): object {
  return openApiOf(operations, {
    version: sourceVersion,
    origin: 'https://api.vaultsvc.example',
    linkOrigins: ['https://link.vaultsvc.example', 'https://files.vaultsvc.example'],
    forgeOrigin: 'https://forge.vaultsvc.example',
  });
}
