import { AppError, type SignedRequest } from '@vaultsvc/contracts';
import type { Secret } from '@vaultsvc/config';
import { macEquals, providerMac } from '@vaultsvc/crypto/mac';

/** Greatest age of a request in seconds, and greatest lead of its clock (OPEN-38). */
const SKEW_SECONDS = 300;

/**
 * Verifies the signature v0 of the chat platform: hex HMAC-SHA256 of `v0:<timestamp>:<raw body>` (OPEN-38, CHT-12).
 * @returns the signature, which no other request has
 * @throws AUTHENTICATION_ERROR for a missing, wrong or old signature, and while there is no signing secret
 */
export function verifyChatSignature(
  secret: Secret,
  { headers }: Pick<SignedRequest, 'headers'>,
  raw: Buffer,
  nowMs = Date.now(),
): string {
  const signature = headers['x-chat-signature'] ?? headers['x-slack-signature'] ?? '';
  const timestamp = headers['x-chat-request-timestamp'] ?? headers['x-slack-request-timestamp'] ?? '';
  const isRecent =
    /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1_000 - Number(timestamp)) <= SKEW_SECONDS;
  if (!isRecent || secret.reveal() === '') throw new AppError('AUTHENTICATION_ERROR');
  const expected = `v0=${providerMac(secret.reveal(), 'hex', `v0:${timestamp}:`, raw)}`;
  if (!macEquals(signature, expected)) throw new AppError('AUTHENTICATION_ERROR');
  return signature;
}
