import { setTimeout as delay } from 'node:timers/promises';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import type { PersonClaims } from './proved-identity.js';

/**
 * Asymmetric ones only: with HS256 whoever knows our client secret, or the provider's public key, could make tokens
 * (RFC 8725, 3.1).
 */
const ALGORITHMS = [
  ...['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
];
const CLOCK_TOLERANCE_SECONDS = 5;
const SUBJECT = /^\P{C}{1,255}$/u;

/** The provider's published keys, as `createRemoteJWKSet` keeps them. */
export interface ProviderKeys extends JWTVerifyGetKey {
  /** Whether the set was asked for so lately that an unknown key does not make it be asked for again. */
  readonly coolingDown: boolean;
}

export interface IdTokenRules {
  /** As the provider writes itself, to the letter. */
  readonly issuer: string;
  readonly clientId: string;
  readonly keys: ProviderKeys;
  readonly coolDownMs: number;
}

/** Claims of a token that passed; whether `email` may be believed is another question. */
export interface IdTokenClaims extends JWTPayload, PersonClaims {
  readonly iss: string;
  readonly sub: string;
}

/** The token is not one that the provider made for us, or not any more. */
export class IdTokenRefused extends Error {
  override readonly name = 'IdTokenRefused';
}

/**
 * The one place where ID tokens are believed (OpenID Connect Core, 3.1.3.7). Nothing in the token says how to verify
 * it: `jku`, `jwk` and `x5u` are not read, and an algorithm must fit the published key. Throws `IdTokenRefused`, or
 * whatever hindered asking for the keys.
 */
export async function verifyIdToken(token: string, rules: IdTokenRules): Promise<IdTokenClaims> {
  const payload = await verifyWithFreshKeys(token, rules).catch(refuse);
  assertAuthorizedParty(payload, rules.clientId);
  if (!hasSubject(payload)) throw new IdTokenRefused('sub is not text of 1 to 255 characters');
  return payload;
}

/** jose demands the claim and leaves its type to us. */
function hasSubject(payload: JWTPayload): payload is IdTokenClaims {
  return typeof payload.sub === 'string' && SUBJECT.test(payload.sub);
}

/**
 * An unknown key is asked for at once, because keys rotate; but within a moment of the last time it is asked for at the
 * moment's end, so that tokens made up by strangers do not multiply into requests to the provider.
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
    // Any age, as long as it has not expired; but with this set, `iat` must be a time, and not one to come.
    maxTokenAge: Number.MAX_SAFE_INTEGER,
    requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
  };
  const { payload, protectedHeader } = await jwtVerify(token, keys, options);
  assertType(protectedHeader.typ);
  return payload;
}

/** Access tokens (RFC 9068) and logout tokens of the same provider say what they are. */
function assertType(typ: string | undefined): void {
  if (typ !== undefined && typ.toLowerCase() !== 'jwt') throw new IdTokenRefused('another type of token');
}

/** With several audiences `azp` says whom the token was made for; where it is given, it must be us. */
function assertAuthorizedParty({ aud, azp }: JWTPayload, clientId: string): void {
  const isForMany = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForMany : azp !== clientId)
    throw new IdTokenRefused('made for another authorized party');
}

/** What jose says of the token itself. Anything else it says is about the key set or the way to it. */
const refusals = new Set<string>([
  errors.JWSInvalid.code,
  errors.JWTInvalid.code,
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  // Several keys fit a token that names none: it must name one (OpenID Connect Core, 10.1).
  errors.JWKSMultipleMatchingKeys.code,
]);

/** jose's errors carry the claims: only the message goes on. */
function refuse(error: unknown): never {
  if (error instanceof errors.JOSEError && refusals.has(error.code)) throw new IdTokenRefused(error.message);
  throw error;
}
