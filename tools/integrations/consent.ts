import { randomBytes } from 'node:crypto';
import type { Route } from './fake-server.ts';

/**
 * A consent page on which everybody agrees: it redirects with a code of a new workspace, portal or org, and with the state of the
 * request (RFC 6749, 4.1.2).
 */
export const consent: Route = ({ query: { redirect_uri = '', state } }) => {
  const isWeb = URL.canParse(redirect_uri) && /^https?:$/.test(new URL(redirect_uri).protocol);
  if (!isWeb) return { status: 400, body: { error: 'invalid_request' } };
  const url = new URL(redirect_uri);
  url.searchParams.set('code', `local-ok-${randomBytes(9).toString('hex')}`);
  if (state !== undefined) url.searchParams.set('state', state);
  return { status: 302, headers: { Location: url.href }, body: '' };
};
