import { setTimeout as delay } from 'node:timers/promises';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import type { PersonClaims } from './verified-identity.js';

/** Asymmetric algorithms only: with HS256 our client secret or the provider's public key could sign tokens (RFC 8725, 3.1). */
const ALGORITHMS = [
  ...['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
];
const CLOCK_TOLERANCE_SECONDS = 5;
const SUBJECT = /^\P{C}{1,255}$/u;

/** The provider's published keys, cached by `createRemoteJWKSet`. */
export interface ProviderKeys extends JWTVerifyGetKey {
  /** Whether the set was requested so recently that an unknown key causes no new request. */
  readonly coolingDown: boolean;
}

export interface IdTokenRules {
  /** The exact `iss` of the provider's tokens. */
  readonly issuer: string;
  readonly clientId: string;
  readonly keys: ProviderKeys;
  readonly coolDownMs: number;
}

/** Claims of a verified token. Whether `email` is verified is decided separately (`provedIdentity`). */
export interface IdTokenClaims extends JWTPayload, PersonClaims {
  readonly iss: string;
  readonly sub: string;
}

/** The token was not issued by the provider for us, or is no longer valid. */
export class IdTokenRefused extends Error {
  override readonly name = 'IdTokenRefused';
}

/**
 * Verifies an ID token (OpenID Connect Core, 3.1.3.7). The token does not choose how it is verified: `jku`, `jwk` and `x5u` are
 * ignored, and the algorithm must match the published key.
 * @throws IdTokenRefused, or the error of the request for the key set
 */
export async function verifyIdToken(token: string, rules: IdTokenRules): Promise<IdTokenClaims> {
  const payload = await verifyWithFreshKeys(token, rules).catch(refuse);
  assertAuthorizedParty(payload, rules.clientId);
  if (!hasSubject(payload)) throw new IdTokenRefused('sub is not text of 1 to 255 characters');
  return payload;
}

/** jose requires the claim, but does not check its type. */
function hasSubject(payload: JWTPayload): payload is IdTokenClaims {
  return typeof payload.sub === 'string' && SUBJECT.test(payload.sub);
}

/**
 * An unknown key triggers a request for the key set at once, because keys rotate. Shortly after another request it waits for
 * the end of the cooldown, so that forged tokens do not multiply into requests to the provider.
 */
async function verifyWithFreshKeys(token: string, rules: IdTokenRules): Promise<JWTPayload> {
  const wasCoolingDown = rules.keys.coolingDown;
  try {
    return await verify(token, rules);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey) || !wasCoolingDown) throw error;
    await delay(rules.coolDownMs);
    return verify(token, rules);
  }
}

async function verify(token: string, { issuer, clientId, keys }: IdTokenRules): Promise<JWTPayload> {
  const options: JWTVerifyOptions = {
    algorithms: ALGORITHMS,
    issuer,
    audience: clientId,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    // No limit on the age of an unexpired token; the option makes jose check that `iat` is a time in the past.
    maxTokenAge: Number.MAX_SAFE_INTEGER,
    requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
  };
  const { payload, protectedHeader } = await jwtVerify(token, keys, options);
  assertType(protectedHeader.typ);
  return payload;
}

/** Access tokens (RFC 9068) and logout tokens of the same provider are recognised by `typ`. */
function assertType(typ: string | undefined): void {
  if (typ !== undefined && typ.toLowerCase() !== 'jwt') throw new IdTokenRefused('another type of token');
}

/** With several audiences, `azp` names the client that the token was issued for; if present, it must be us. */
function assertAuthorizedParty({ aud, azp }: JWTPayload, clientId: string): void {
  const isForMany = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForMany : azp !== clientId)
    throw new IdTokenRefused('made for another authorized party');
}

/** The errors of jose about the token itself. All others concern the key set or the request for it. */
const refusals = new Set<string>([
  errors.JWSInvalid.code,
  errors.JWTInvalid.code,
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  // Several keys match a token without `kid`: it must name one (OpenID Connect Core, 10.1).
  errors.JWKSMultipleMatchingKeys.code,
]);

/** jose's errors contain the claims, so only the message is kept. */
function refuse(error: unknown): never {
  if (error instanceof errors.JOSEError && refusals.has(error.code)) throw new IdTokenRefused(error.message);
  throw error;
}
