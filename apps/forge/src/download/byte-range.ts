import { AppError } from '@vaultsvc/contracts';

/** Which bytes of a content a request is answered with. */
export interface RequestedRange {
  readonly offset: number;
  readonly bytes: number;
  /** A part is answered 206, the whole 200; `bytes=0-` asks for a part that happens to be all. */
  readonly isPart: boolean;
}

/** 416: nothing of the range lies in the content (RFC 9110, 15.5.17). There is no public code of its own for it. */
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
 * RFC 9110 section 14: one range of bytes. Other units, several ranges and what cannot be read are as if they were not
 * there. So is a range under a condition (If-Range): no validators are given out, so none can match. Throws
 * RangeUnsatisfiable.
 */
export function requestedRange(
  headers: { range?: string; 'if-range'?: string },
  sizeBytes: number,
): RequestedRange {
  const whole = { offset: 0, bytes: sizeBytes, isPart: false };
  if (headers.range === undefined || headers['if-range'] !== undefined) return whole;
  const [, first, last] = ONE_RANGE.exec(headers.range) ?? [];
  if (first === undefined || last === undefined || first + last === '') return whole;
  if (first === '') return partOf(Math.max(0, sizeBytes - Number(last)), sizeBytes - 1, sizeBytes);
  if (last !== '' && BigInt(last) < BigInt(first)) return whole;
  return partOf(Number(first), last === '' ? sizeBytes - 1 : Number(last), sizeBytes);
}

function partOf(first: number, last: number, sizeBytes: number): RequestedRange {
  if (first >= sizeBytes) throw new RangeNotSatisfiable(sizeBytes);
  return { offset: first, bytes: Math.min(last, sizeBytes - 1) - first + 1, isPart: true };
}
