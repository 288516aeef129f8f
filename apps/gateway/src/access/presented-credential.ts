import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@vaultsvc/contracts';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';

export type Presented =
  { readonly kind: 'api_key'; readonly lookup: string } | { readonly kind: 'token'; readonly token: string };

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i;
const TOKEN_LETTERS_MAX = 4_096;

/**
 * What the caller presents, or 401 for nothing and for what cannot be a credential: neither costs a look-up. A given
 * X-API-Key decides, even a bad one beside a good token (AMB-44).
 */
export function presentedCredential(headers: IncomingHttpHeaders): Presented {
  const apiKey = headers['x-api-key'];
  if (apiKey !== undefined) return fromApiKey(String(apiKey));
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  if (token === undefined || token.length > TOKEN_LETTERS_MAX) throw new AppError('AUTHENTICATION_ERROR');
  return { kind: 'token', token };
}

/** Whether there is anything that means to be a credential, good or bad. */
export function presentsCredential({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || apiKey !== undefined;
}

function fromApiKey(text: string): Presented {
  const bytes = parseToken('apikey', text);
  if (!bytes) throw new AppError('AUTHENTICATION_ERROR');
  return { kind: 'api_key', lookup: lookupHash('apikey', bytes).toString('hex') };
}
