import type { ErrorEnvelope, SuccessEnvelope } from './envelope-rules.js';
import type { RawResponse } from './send.js';

/** A response that satisfies every rule: `data` and `meta` of a success, `error` and `meta` of a refusal. */
export interface ApiResponse<T = unknown> extends RawResponse {
  readonly data?: T;
  readonly error?: ErrorEnvelope['error'];
  readonly meta?: SuccessEnvelope['meta'] | ErrorEnvelope['meta'];
}
