import type { PublicOperation } from '@vaultsvc/contracts';
import { REFRESH_COOKIE } from '../pipeline/refresh-token-delivery.js';

/** What a session operation reads beside its body, as OpenAPI has it. */
export interface SessionParameter {
  readonly name: string;
  readonly in: 'header' | 'cookie';
  readonly required: false;
  readonly description: string;
  readonly schema: { readonly type: 'string' };
}

const marker: SessionParameter = {
  name: 'X-VK-Client',
  in: 'header',
  required: false,
  description: `"web" from browsers: the refresh token is then in the cookie ${REFRESH_COOKIE} alone. Others leave it out.`,
  schema: { type: 'string' },
};

const cookie: SessionParameter = {
  name: REFRESH_COOKIE,
  in: 'cookie',
  required: false,
  description: 'With X-VK-Client: web the refresh token, in place of the one in the body. Ignored without.',
  schema: { type: 'string' },
};

/** The marker of browsers, and the cookie where one is read; nothing of other operations. */
export function sessionParameters({ session }: PublicOperation): readonly SessionParameter[] {
  if (!session) return [];
  return session === 'opens' ? [marker] : [marker, cookie];
}

/** What a success does to the cookie; undefined where it does nothing. */
export function cookieSentence({ session }: PublicOperation): string | undefined {
  if (!session) return undefined;
  return session === 'ends'
    ? `With X-VK-Client: web the cookie ${REFRESH_COOKIE} is deleted.`
    : `With X-VK-Client: web the refresh token is absent here and set as the cookie ${REFRESH_COOKIE}: host-locked, HttpOnly, Secure, SameSite=Strict, for 30 days.`;
}
