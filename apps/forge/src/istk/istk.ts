import { AppError } from '@vaultsvc/contracts';
import type { FileIds, TransferTerms } from '@vaultsvc/crypto/container';
import type { IncomingMessage } from 'node:http';
import { parseBearer } from '@vaultsvc/crypto/tokens';
import { requestTarget } from '@vaultsvc/http';

/** What is known of an ISTK. All times were compared by the database. */
export interface Istk extends FileIds {
  readonly lookup: Buffer;
  readonly terms: TransferTerms;
  /** Bytes of the content; of an upload those that were announced to vaults. */
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly filename: string;
  readonly isUsed: boolean;
  readonly isRevoked: boolean;
  /** Its end has come, or a streaming one has lain idle for an hour. */
  readonly isExpired: boolean;
  /** Bytes that downloads have taken of `terms.bytesMax`, those that are still on their way included. */
  readonly movedBytes: number;
  /** What its bearer opens; null when it is spent, revoked or long expired. */
  readonly wrappedKey: Buffer | null;
}

/** An ISTK whose wrap is there. */
export interface ConsumedIstk extends Istk {
  readonly wrappedKey: Buffer;
}

/** What the holder of an ISTK is told of why it was refused (AMB-29). */
export type IstkFault = 'ISTK_INVALID' | 'ISTK_USED' | 'ISTK_EXPIRED' | 'ISTK_EXHAUSTED';

export function istkRefused(code: IstkFault): AppError {
  return new AppError('AUTHENTICATION_ERROR', { code });
}

/**
 * Throws the 401 of an ISTK that cannot be used for this. A revoked one reads as an unknown one: it was neither used nor
 * is it too late, and a new one may well be refused, so INVALID is all that is true of it. One that was used first says so.
 */
export function assertUsable(
  istk: Istk | undefined,
  operation: TransferTerms['operation'],
): asserts istk is Istk {
  if (istk?.terms.operation !== operation) throw istkRefused('ISTK_INVALID');
  const fault = faultOf(istk);
  if (fault) throw istkRefused(fault);
}

function faultOf({ terms, isUsed, isRevoked, isExpired, movedBytes }: Istk): IstkFault | undefined {
  if (terms.mode === 'once' && isUsed) return 'ISTK_USED';
  if (isRevoked) return 'ISTK_INVALID';
  if (isExpired) return 'ISTK_EXPIRED';
  if (terms.mode === 'stream' && movedBytes >= terms.bytesMax) return 'ISTK_EXHAUSTED';
  return undefined;
}

/** Express takes the matched part of a path off `url`. */
type RoutedRequest = IncomingMessage & { readonly originalUrl: string };

/**
 * The bytes of the ISTK that a request carries: in the query, which wins even when it is bad, or in X-ISTK (AMB-27,
 * FRG-18). Throws AUTHENTICATION_ERROR: without details when there is none, with ISTK_INVALID when it cannot be one
 * (AMB-29); one that is given twice is none.
 */
export function istkSecretOf(request: IncomingMessage): Buffer {
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
