import { types } from 'node:util';
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';

/**
 * The provider is down, responds with garbage, or rejects our client. For the operator's log only. The message is our own,
 * because the causes that the libraries attach contain whole responses, tokens included.
 */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';

  constructor(during: string, problem: unknown) {
    super(`identity provider, ${during}: ${describe(problem)}`);
  }
}

/** The error code of an OAuth error response (RFC 6749, 5.2), if it is one. */
export function oauthErrorOf(error: unknown): string | undefined {
  return error instanceof ResponseBodyError || error instanceof AuthorizationResponseError
    ? error.error
    : undefined;
}

const DESCRIPTION_CHARACTERS_MAX = 200;

function describe(problem: unknown): string {
  if (typeof problem === 'string') return problem;
  if (problem instanceof ResponseBodyError) {
    const said = problem.error_description?.slice(0, DESCRIPTION_CHARACTERS_MAX) ?? '';
    return `answered ${problem.status} ${problem.error} ${said}`.trim();
  }
  if (problem instanceof WWWAuthenticateChallengeError) {
    const said = problem.cause.map(({ scheme, parameters }) => `${scheme} ${parameters.error ?? ''}`.trim());
    return `answered ${problem.status} and asked for ${said.join(', ')}`;
  }
  return types.isNativeError(problem) ? chainOf(problem).join(': ') : 'failed';
}

/** Messages and codes along the chain of causes. A SyntaxError is left out, because it quotes its input. */
function chainOf(error: Error): string[] {
  if (error.name === 'SyntaxError') return ['not JSON'];
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const rest = types.isNativeError(error.cause) ? chainOf(error.cause) : [];
  return [`${error.message}${code}`, ...rest];
}
