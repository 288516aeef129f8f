export { api, type Answer, type Api, type Credentials } from './api.js';
export {
  assertEnvelope,
  assertHeaders,
  BrokenRule,
  type ErrorEnvelope,
  type SuccessEnvelope,
} from './envelope-rules.js';
export { PLENTY, untilPassed, withoutLimits } from './plenty.js';
export { assertCookie, setCookieOf, type SetCookie } from './set-cookie.js';
export { send, type RawAnswer, type RawRequest } from './send.js';
export { succeeded } from './succeeded.js';
