export { assertHttps } from './assert-https.js';
export { normalizeAddress, ProxyTrust, type Caller } from './client-address.js';
export { hostCookie, readCookie } from './cookies.js';
export { Cors } from './cors.js';
export { DnsRebindingGuard } from './dns-rebinding-guard.js';
export {
  apiInfoOf,
  errorBody,
  errorResponse,
  successBody,
  toAppError,
  type ApiInfo,
  type Meta,
} from './envelope.js';
export { EnvelopeFilter, ExchangeRegistry, HttpExchange, newRequestId } from './exchange.js';
export { GracefulHttpClose } from './graceful-http-close.js';
export { HttpSettings } from './http-settings.js';
export { createOriginServer } from './origin-server.js';
export {
  failureCodeOf,
  isSuccess,
  membersOf,
  OutboundFailure,
  sendOutbound,
  type OutboundReply,
  type OutboundRequest,
} from './outbound-request.js';
export { isPrivateAddress } from './private-address.js';
export { PrivateAddressError, publicHost, publicLookup } from './public-lookup.js';
export {
  assertJsonContentType,
  assertNotEncoded,
  ConnectionClosed,
  parseJson,
  readBody,
  sendContinue,
} from './request-body.js';
export { assertFraming, assertSingleHeader, requestTarget } from './request-head.js';
export { retryAfterMs } from './retry-after.js';
export {
  dataHeaders,
  framedHeaders,
  JSON_CONTENT_TYPE,
  securityHeaders,
  sendResponse,
  type RawHeaders,
} from './response.js';
