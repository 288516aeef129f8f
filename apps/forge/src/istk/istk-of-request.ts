import type { IncomingMessage } from 'node:http';
import { AppError } from '@vaultsvc/contracts';
import { parseBearer } from '@vaultsvc/crypto/tokens';
import { requestTarget } from '@vaultsvc/http';
import { istkRefused } from './istk.js';

/** Express takes the matched part of a path off `url`. */
type RoutedRequest = IncomingMessage & { readonly originalUrl: string };

/**
 * The bytes of the ISTK that a request carries: in the query, which wins even when it is bad, or in X-ISTK (AMB-27,
 * FRG-18). Throws AUTHENTICATION_ERROR: without details when there is none, with ISTK_INVALID when it cannot be one
 * (AMB-29); one that is given twice is none.
 */
export function istkOf(request: IncomingMessage): Buffer {
  const [fromQuery, ...others] = istksInQuery(request);
  const text = fromQuery ?? request.headers['x-istk'];
  if (text === undefined) throw new AppError('AUTHENTICATION_ERROR');
  const bytes = typeof text === 'string' && others.length === 0 ? parseBearer(text) : undefined;
  if (!bytes) throw istkRefused('ISTK_INVALID');
  return bytes;
}

/** All that the query calls `istk`, whatever it is. */
export function istksInQuery(request: IncomingMessage): string[] {
  const { query } = requestTarget((request as RoutedRequest).originalUrl);
  return new URLSearchParams(query).getAll('istk');
}
