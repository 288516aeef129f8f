import type { IncomingMessage } from 'node:http';
import { validationError } from '@vaultsvc/contracts';

/** What a POST may stand for. One that names itself is what it is. */
const METHODS = new Set(['PATCH', 'DELETE', 'HEAD', 'POST']);

/**
 * Makes a POST the method that it names: some callers can send no other (tus 1.0.0). It is heard of a POST alone, as in
 * tusd: what stands in front may repeat a GET or a HEAD, and neither may write. To be asked before anybody looks at the
 * method.
 */
export function takeNamedMethod(request: IncomingMessage): void {
  const named = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || named === undefined) return;
  if (typeof named !== 'string' || !METHODS.has(named)) throw unknownMethod();
  request.method = named;
}

function unknownMethod(): Error {
  const message = `must be one of ${[...METHODS].join(', ')}, in capitals and once`;
  return validationError({ field: 'X-HTTP-Method-Override', message });
}
