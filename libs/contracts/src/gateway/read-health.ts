import { OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class PublicHealth {
  @OneOf(['ok']) status: 'ok';
}

/** Whether the API is there. Answered by the gateway itself, never counted (OPEN-10, OPEN-56). */
export const readHealth = operation({
  name: 'gateway.read-health',
  summary: 'Whether the API is there.',
  http: { method: 'GET', path: '/v1/health', status: 200 },
  access: { credential: 'none' },
  reply: PublicHealth,
});
