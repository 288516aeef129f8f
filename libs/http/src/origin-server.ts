import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { answerParserErrors } from './answer-parser-errors.js';
import { dataHeaders, type Headers } from './headers.js';
import { LastAnswers } from './last-answers.js';

/** Slow heads are cut off, and idle connections outlive the 60 s of a load balancer in front. */
const commonOptions: ServerOptions = {
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false, // ours answers in the envelope
};

/**
 * The server of a public origin, whose every answer is ours: of requests that Node would refuse, invite or drop by itself
 * too, with `refusalHeaders` on those of the parser. Close it by the `LastAnswers`: they wait for what is under way.
 */
export function createOriginServer(
  handle: RequestListener,
  apiVersion: string,
  options: ServerOptions,
  refusalHeaders: Headers = dataHeaders,
) {
  const server = createServer({ ...commonOptions, ...options }, handle);
  server.maxHeadersCount = 0; // Node would drop what is over its count in silence; `assertFraming` refuses it
  // A caller may close its side after the request and still read: what it asked for may be spent already.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Without these Node would send "100 Continue" before the credential is looked at, and a bare 417.
  server.on('checkContinue', handle).on('checkExpectation', handle);
  answerParserErrors(server, apiVersion, refusalHeaders);
  return { server, lastAnswers: new LastAnswers(server) };
}
