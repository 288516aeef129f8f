export { api, type Api, type Credentials } from './api.js';
export type { ApiResponse } from './api-response.js';
export {
  assertEnvelope,
  assertHeaders,
  RuleViolation,
  type ErrorEnvelope,
  type SuccessEnvelope,
} from './envelope-rules.js';
export { UNREACHED_LIMIT, retryRateLimited, withoutLimits } from './rate-limit-retry.js';
export { replyEndlessly } from './reply-endlessly.js';
export { assertCookie, setCookieOf, type SetCookie } from './set-cookie.js';
export { send, type RawResponse, type RawRequest } from './send.js';
export { succeeded } from './succeeded.js';
