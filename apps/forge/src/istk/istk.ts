import type { IncomingMessage } from 'node:http';
import { AppError } from '@vaultsvc/contracts';
import type { FileIds, TransferTerms } from '@vaultsvc/crypto/container';
import { parseBearer } from '@vaultsvc/crypto/tokens';
import { requestTarget } from '@vaultsvc/http';

/** The state of an ISTK. The database compared all times. */
export interface Istk extends FileIds {
  readonly lookup: Buffer;
  readonly terms: TransferTerms;
  /** Bytes of the content; of an upload the bytes that were announced to vaults. */
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly filename: string;
  /** When the last byte of the version was received, in epoch seconds; null: not read, or not known. */
  readonly modifiedAt: number | null;
  readonly isUsed: boolean;
  readonly isRevoked: boolean;
  /** Whether it is past its end, or has not been used for an hour in streaming mode. */
  readonly isExpired: boolean;
  /** Bytes of `terms.bytesMax` that downloads have counted: sent ones, and up to 8 MiB of each running one in advance. */
  readonly movedBytes: number;
  /** The file key, wrapped under the ISTK; null once it is consumed, revoked or long expired. */
  readonly wrappedKey: Buffer | null;
}

/** An ISTK just consumed, with the wrapped key that its row no longer has. */
export interface ConsumedIstk extends Istk {
  readonly wrappedKey: Buffer;
}

/** Why an ISTK was refused, in `details.code` of the response (AMB-29). */
export type IstkFault = 'ISTK_INVALID' | 'ISTK_USED' | 'ISTK_EXPIRED' | 'ISTK_EXHAUSTED';

export function istkRefused(code: IstkFault): AppError {
  return new AppError('AUTHENTICATION_ERROR', { code });
}

/**
 * Throws 401 unless the ISTK can be used for the operation. A revoked ISTK answers as an unknown one: it is neither used
 * nor expired, and a new one may be refused too. ISTK_USED takes precedence if it was used before.
 */
export function assertUsable(
  istk: Istk | undefined,
  operation: TransferTerms['operation'],
): asserts istk is Istk {
  if (istk?.terms.operation !== operation) throw istkRefused('ISTK_INVALID');
  const fault = faultOf(istk);
  if (fault) throw istkRefused(fault);
}

/** Whether `assertUsable` would pass. */
export function isUsable(istk: Istk | undefined, operation: TransferTerms['operation']): boolean {
  return istk?.terms.operation === operation && faultOf(istk) === undefined;
}

function faultOf({ terms, isUsed, isRevoked, isExpired, movedBytes }: Istk): IstkFault | undefined {
  if (terms.mode === 'once' && isUsed) return 'ISTK_USED';
  if (isRevoked) return 'ISTK_INVALID';
  if (isExpired) return 'ISTK_EXPIRED';
  if (terms.mode === 'stream' && movedBytes >= terms.bytesMax) return 'ISTK_EXHAUSTED';
  return undefined;
}

/**
 * The bytes of a request's ISTK, from the query or else from X-ISTK; the query has precedence even when it is invalid
 * (AMB-27, FRG-18). Throws ISTK_MISSING when there is none, ISTK_MALFORMED with the code ISTK_INVALID when it is malformed
 * or given twice (AMB-29).
 */
export function istkSecretOf(request: IncomingMessage): Buffer {
  const [fromQuery, ...others] = istksInQuery(request);
  const text = fromQuery ?? request.headers['x-istk'];
  if (text === undefined) throw new AppError('ISTK_MISSING');
  const bytes = typeof text === 'string' && others.length === 0 ? parseBearer(text) : undefined;
  if (!bytes) throw new AppError('ISTK_MALFORMED', { code: 'ISTK_INVALID' satisfies IstkFault });
  return bytes;
}

/** Express removes the matched part of a path from `url`. */
type RoutedRequest = IncomingMessage & { readonly originalUrl: string };

/** All values of the query parameter `istk`, unchecked. */
export function istksInQuery(request: IncomingMessage): string[] {
  const { query } = requestTarget((request as RoutedRequest).originalUrl);
  return new URLSearchParams(query).getAll('istk');
}
