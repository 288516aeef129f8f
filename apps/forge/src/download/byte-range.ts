import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@vaultsvc/contracts';
import { isRangeCurrent, type Validators } from './validators.js';

/** The bytes of the content to respond with. */
export interface RequestedRange {
  readonly offset: number;
  readonly bytes: number;
  /** Whether the response is 206 and not 200; `bytes=0-` requests a part that happens to be the whole. */
  readonly isPart: boolean;
}

/** 416: the range starts after the content (RFC 9110, 15.5.17). It has no public error code of its own. */
export class RangeNotSatisfiable extends AppError {
  constructor(readonly sizeBytes: number) {
    super('VALIDATION_ERROR', {
      fields: [{ field: 'Range', message: `must begin within the ${sizeBytes} bytes of the content` }],
    });
  }

  override get status(): number {
    return 416;
  }
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * Parses a single range of bytes (RFC 9110, 14). Other units, several ranges and malformed values are ignored. So is a
 * range with an If-Range that names another version (14.2). Throws RangeNotSatisfiable.
 */
export function requestedRange(
  headers: IncomingHttpHeaders,
  sizeBytes: number,
  validators: Validators,
): RequestedRange {
  const whole = wholeOf(sizeBytes);
  if (headers.range === undefined || !isRangeCurrent(headers, validators)) return whole;
  const [, first, last] = ONE_RANGE.exec(headers.range) ?? [];
  if (first === undefined || last === undefined || first + last === '') return whole;
  if (first === '') return partOf(Math.max(0, sizeBytes - Number(last)), sizeBytes - 1, sizeBytes);
  if (last !== '' && BigInt(last) < BigInt(first)) return whole;
  return partOf(Number(first), last === '' ? sizeBytes - 1 : Number(last), sizeBytes);
}

/** The whole content. */
export function wholeOf(sizeBytes: number): RequestedRange {
  return { offset: 0, bytes: sizeBytes, isPart: false };
}

function partOf(first: number, last: number, sizeBytes: number): RequestedRange {
  if (first >= sizeBytes) throw new RangeNotSatisfiable(sizeBytes);
  return { offset: first, bytes: Math.min(last, sizeBytes - 1) - first + 1, isPart: true };
}
