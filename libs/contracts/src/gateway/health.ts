import { OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** The API is available. */
export class PublicHealth {
  @OneOf(['ok']) status: 'ok';
}

/** Answered by the gateway itself and not counted by the rate limiter (OPEN-10, OPEN-56). */
export const readHealth = operation({
  name: 'gateway.read-health',
  summary: 'Checks whether the API is available.',
  http: { method: 'GET', path: '/v1/health', status: 200 },
  access: { credential: 'none' },
  reply: PublicHealth,
});
