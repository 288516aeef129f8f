import { membersOf } from '@vaultsvc/http';
import { SignJWT } from 'jose';
import type { IssuedToken } from '../cached-token.js';
import { ProviderFailure } from '../../outbound/provider-failure.js';
import { isSuccess, postToProvider, refusal, type ProviderReply } from '../../outbound/provider-http.js';
import type { FcmAccount } from '../../operator-settings/fcm-credentials.js';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const ASSERTION_SECONDS = 3_600;
/** A token is replaced so long before its end that no message is sent with one that expires on the way. */
const MARGIN_MS = 60_000;

/**
 * Exchanges an assertion that the service account signs for an access token (RFC 7523, 2.1). No message was sent by then, so
 * no failure has `isAnswerLost`.
 * @throws ProviderFailure `OAUTH …`
 */
export async function issueAccessToken(account: FcmAccount): Promise<IssuedToken> {
  const reply = await exchange(account.tokenUrl, await assertionOf(account));
  if (!isSuccess(reply)) throw refusal(reply, {}, 'OAUTH');
  const { access_token: token, expires_in: seconds } = membersOf(reply);
  if (typeof token !== 'string' || typeof seconds !== 'number') throw new ProviderFailure('OAUTH UNKNOWN');
  return { token, usableUntil: Date.now() + seconds * 1_000 - MARGIN_MS };
}

async function exchange(url: URL, assertion: string): Promise<ProviderReply> {
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  try {
    return await postToProvider({ url, form });
  } catch (error) {
    throw error instanceof ProviderFailure ? new ProviderFailure(`OAUTH ${error.code}`) : error;
  }
}

function assertionOf({ clientEmail, key, keyId, tokenUrl }: FcmAccount): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl.href)
    .setIssuedAt(now)
    .setExpirationTime(now + ASSERTION_SECONDS)
    .sign(key);
}
