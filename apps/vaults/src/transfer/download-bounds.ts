import type { TransferOrder } from './transfer-issuer.js';

const GIB = 1_073_741_824;

/** Lifetimes of download URLs in seconds: for one use (FRG-26), and for streaming (FRG-28). */
const ONCE_SECONDS = 86_400;
export const STREAM_SECONDS = 43_200;

/** The bounds of a URL to a content of this size: for one use, or for streaming, with its byte cap (OPEN-15). */
export function boundsOf(
  sizeBytes: number,
  isStream: boolean,
): Pick<TransferOrder, 'mode' | 'bytes_max' | 'ttlSeconds'> {
  return isStream
    ? { mode: 'stream', bytes_max: Math.max(20 * sizeBytes, GIB), ttlSeconds: STREAM_SECONDS }
    : { mode: 'once', bytes_max: sizeBytes, ttlSeconds: ONCE_SECONDS };
}
