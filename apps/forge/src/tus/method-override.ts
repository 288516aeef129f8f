import type { IncomingMessage } from 'node:http';
import { validationError } from '@vaultsvc/contracts';

const METHODS = new Set(['PATCH', 'DELETE', 'HEAD', 'POST']);

/**
 * Replaces the method of a POST by that of X-HTTP-Method-Override, for clients behind proxies that block PATCH and DELETE
 * (tus 1.0.0). As in tusd it is ignored on other methods: a proxy may repeat a GET or a HEAD, and neither may write. Must
 * be called before any code reads the method.
 */
export function applyMethodOverride(request: IncomingMessage): void {
  const method = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || method === undefined) return;
  if (typeof method !== 'string' || !METHODS.has(method)) throw unknownMethod();
  request.method = method;
}

function unknownMethod(): Error {
  const message = `must be one of ${[...METHODS].join(', ')}, in capitals and once`;
  return validationError({ field: 'X-HTTP-Method-Override', message });
}
