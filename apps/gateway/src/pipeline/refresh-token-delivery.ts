import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError, type PublicOperation, type SessionClient } from '@vaultsvc/contracts';
import { hostCookie, readCookie } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import { userAgentOf, type Body } from './request-input.js';

/** The cookie of a browser's refresh token; scripts cannot read it (AUTH-28, AUTH-29). */
export const REFRESH_COOKIE = '__Host-vk_refresh';
/** AUTH-17: lifetime of a refresh token. */
const REFRESH_SECONDS = 30 * 24 * 3_600;
/** The limit of `refresh_token` in the contracts; a longer cookie is not a refresh token. */
const TOKEN_CHARACTERS_MAX = 1_024;

/** Decides whether a caller keeps its refresh token in the cookie or reads it from the body, and which pages may use the cookie. */
@Injectable()
export class RefreshTokenDelivery {
  readonly #origins: ReadonlySet<string>;

  constructor({ CORS_ORIGINS, API_ORIGIN }: GatewayConfig) {
    this.#origins = new Set([...CORS_ORIGINS, API_ORIGIN]);
  }

  /** The client of a session operation, undefined for others. Throws ORIGIN_REFUSED for a page that may not use the cookie. */
  clientOf({ session }: PublicOperation, headers: IncomingHttpHeaders): SessionClient | undefined {
    if (!session) return undefined;
    const client = { delivery: deliveryOf(headers), userAgent: userAgentOf(headers) };
    if (client.delivery === 'cookie') this.#assertOrigin(headers);
    return client;
  }

  /**
   * Third of three defences against CSRF: the cookie is SameSite, X-VK-Client forces a preflight, and Origin and
   * Sec-Fetch-Site, which pages cannot change, must name an allowed page. Clients other than browsers send neither.
   * Sandboxed pages and local files have the origin `null`, which is not allowed.
   */
  #assertOrigin({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
    const isAllowed = origin === undefined || this.#origins.has(origin);
    const isSameSite = site === undefined || site === 'same-origin' || site === 'same-site';
    if (!isAllowed || !isSameSite) throw new AppError('ORIGIN_REFUSED');
  }
}

/** AMB-45: only `X-VK-Client: web`, in any case and with blanks around, selects the cookie; a cookie alone does not. */
function deliveryOf({ 'x-vk-client': marker }: IncomingHttpHeaders): SessionClient['delivery'] {
  return String(marker).trim().toLowerCase() === 'web' ? 'cookie' : 'body';
}

/**
 * The body for the service, made from one that fits the contract. For browsers the cookie replaces `refresh_token`. A
 * sign-out without the cookie uses that of the body, because it accepts either (AUTH-26).
 */
export function withRefreshToken(
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
  const token = readCookie(cookies, REFRESH_COOKIE);
  return token !== undefined && token.length <= TOKEN_CHARACTERS_MAX ? token : undefined;
}

/** A service's reply without the refresh token, and the `Set-Cookie` header that carries it. */
export interface DeliveredReply {
  readonly reply: Uint8Array;
  readonly setCookie?: string;
}

/** Moves `refresh_token` of a reply to a browser into the cookie; the end of a session deletes the cookie. */
export function moveTokenToCookie(
  { session }: PublicOperation,
  client: SessionClient | undefined,
  reply: Uint8Array,
): DeliveredReply {
  if (client?.delivery !== 'cookie') return { reply };
  if (session === 'ends') return { reply, setCookie: hostCookie(REFRESH_COOKIE, '', 0) };
  const { refresh_token: token, ...others } = JSON.parse(Buffer.from(reply).toString()) as Record<
    string,
    unknown
  >;
  if (typeof token !== 'string' || token === '')
    throw new Error('the reply of a new session has no refresh token');
  return {
    reply: Buffer.from(JSON.stringify(others)),
    setCookie: hostCookie(REFRESH_COOKIE, token, REFRESH_SECONDS),
  };
}
