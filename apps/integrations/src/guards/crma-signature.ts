import type { Secret } from '@vaultsvc/config';
import { AppError, type SignedRequest } from '@vaultsvc/contracts';
import { macEquals, providerMac } from '@vaultsvc/crypto/mac';

/** Greatest age of a request in milliseconds, and greatest lead of its clock (OPEN-38). */
const SKEW_MS = 300_000;

/** The escapes that are decoded before a request is signed; every other one stays. */
const DECODED = /%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

export interface SignedCrmaRequest extends SignedRequest {
  readonly method: string;
  /** Public origin, over which crma signs; the Host header is not used. */
  readonly origin: string;
}

/**
 * Verifies the request signature v3 of crma: base64 HMAC-SHA256 of method, URI, raw body and timestamp (OPEN-38, CRA-02).
 * @returns the signature, which no other request has
 * @throws AUTHENTICATION_ERROR for a missing, wrong or old signature, and while there is no client secret
 */
export function verifyCrmaSignature(
  secret: Secret,
  { method, origin, target, headers }: SignedCrmaRequest,
  raw: Buffer,
  nowMs = Date.now(),
): string {
  const signature = headers['x-crma-signature-v3'] ?? headers['x-hubspot-signature-v3'] ?? '';
  const timestamp = headers['x-crma-request-timestamp'] ?? headers['x-hubspot-request-timestamp'] ?? '';
  const isRecent = /^\d{13}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp)) <= SKEW_MS;
  if (!isRecent || secret.reveal() === '') throw new AppError('AUTHENTICATION_ERROR');
  const uri = origin + decodedTarget(target);
  const expected = providerMac(secret.reveal(), 'base64', method, uri, raw, timestamp);
  if (!macEquals(signature, expected)) throw new AppError('AUTHENTICATION_ERROR');
  return signature;
}

/** Decodes twelve escapes, once each. */
export function decodedTarget(target: string): string {
  return target.replace(DECODED, (escape) => decodeURIComponent(escape));
}
