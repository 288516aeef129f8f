import { AppError } from '@vaultsvc/contracts';
import type { FileIds, TransferTerms } from '@vaultsvc/crypto/container';

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
export interface TakenIstk extends Istk {
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
