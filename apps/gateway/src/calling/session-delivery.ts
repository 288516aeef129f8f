import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError, type PublicOperation, type SessionClient } from '@vaultsvc/contracts';
import { cookieOf, hostCookie } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import type { Body } from './read-input.js';
import { userAgentOf } from './user-agent.js';

/** Where a browser keeps its refresh token; scripts cannot read it (AUTH-28, AUTH-29). */
export const REFRESH_COOKIE = '__Host-vk_refresh';
/** AUTH-17: the life of a refresh token. */
const REFRESH_SECONDS = 30 * 24 * 3_600;
/** As the contracts bound `refresh_token`: a longer cookie is none of ours. */
const TOKEN_CHARACTERS_MAX = 1_024;

/** Decides how callers of session operations keep their refresh token, and which pages may keep one in the cookie. */
@Injectable()
export class SessionDelivery {
  readonly #origins: ReadonlySet<string>;

  constructor({ CORS_ORIGINS, API_ORIGIN }: GatewayConfig) {
    this.#origins = new Set([...CORS_ORIGINS, API_ORIGIN]);
  }

  /** Who keeps the session; undefined for other operations. Throws ORIGIN_REFUSED for a page that may not. */
  clientOf({ session }: PublicOperation, headers: IncomingHttpHeaders): SessionClient | undefined {
    if (!session) return undefined;
    const client = { delivery: deliveryOf(headers), userAgent: userAgentOf(headers) };
    if (client.delivery === 'cookie') this.#assertOrigin(headers);
    return client;
  }

  /**
   * Three walls against requests that another site makes a browser send: SameSite keeps the cookie at
   * home, the marker forces a preflight, and this compares what browsers say of the page, which pages cannot change.
   * Programs send neither header. `null` is the origin of sandboxes and local files: nobody's.
   */
  #assertOrigin({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
    const isOurs = origin === undefined || this.#origins.has(origin);
    const isNear = site === undefined || site === 'same-origin' || site === 'same-site';
    if (!isOurs || !isNear) throw new AppError('ORIGIN_REFUSED');
  }
}

/** AMB-45: only `X-VK-Client: web` means the cookie, in any case and with blanks around; a cookie alone means nothing. */
function deliveryOf({ 'x-vk-client': marker }: IncomingHttpHeaders): SessionClient['delivery'] {
  return String(marker).trim().toLowerCase() === 'web' ? 'cookie' : 'body';
}

/**
 * The body for the service, of one that the contract has passed. For browsers the cookie takes the place of
 * `refresh_token`; a sign-out without the cookie takes the body's, because it accepts either path (AUTH-26).
 */
export function presentToken(
  { session }: PublicOperation,
  client: SessionClient | undefined,
  { bytes, value }: Body,
  cookies: string | undefined,
): Uint8Array {
  if (client?.delivery !== 'cookie' || session === 'opens') return bytes;
  const { refresh_token: given, ...others } = value as Record<string, unknown>;
  const token = storedToken(cookies) ?? (session === 'ends' ? given : undefined);
  return Buffer.from(JSON.stringify({ ...others, refresh_token: token }));
}

function storedToken(cookies: string | undefined): string | undefined {
  const token = cookieOf(cookies, REFRESH_COOKIE);
  return token !== undefined && token.length <= TOKEN_CHARACTERS_MAX ? token : undefined;
}

/** A success as the caller is given it, and the `Set-Cookie` that goes with it. */
export interface HandedOver {
  readonly reply: Uint8Array;
  readonly setCookie?: string;
}

/** Moves `refresh_token` of a browser's reply into the cookie; at the end of a session the cookie is deleted. */
export function handOver(
  { session }: PublicOperation,
  client: SessionClient | undefined,
  reply: Uint8Array,
): HandedOver {
  if (client?.delivery !== 'cookie') return { reply };
  if (session === 'ends') return { reply, setCookie: hostCookie(REFRESH_COOKIE, '', 0) };
  const { refresh_token: token, ...others } = JSON.parse(Buffer.from(reply).toString()) as Record<
    string,
    unknown
  >;
  if (typeof token !== 'string' || token === '')
    throw new Error('a session was opened without a refresh token');
  return {
    reply: Buffer.from(JSON.stringify(others)),
    setCookie: hostCookie(REFRESH_COOKIE, token, REFRESH_SECONDS),
  };
}
