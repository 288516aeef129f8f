import { describe, expect, it } from '@jest/globals';
import { formatTraceParent, isSampled, parseTraceParent } from './traceparent.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('A traceparent (W3C Trace Context)', () => {
  it('is read, with its flag of recorded spans', () => {
    expect(parseTraceParent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, isSampled: true });
    expect(parseTraceParent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, isSampled: false });
  });

  it('may have further flags, and of a later version further fields', () => {
    expect(parseTraceParent(`00-${traceId}-${spanId}-03`)?.isSampled).toBe(true);
    expect(parseTraceParent(`01-${traceId}-${spanId}-02-more`)).toEqual({
      traceId,
      spanId,
      isSampled: false,
    });
  });

  it.each([
    undefined,
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ])('is ignored where the standard wants it: %s', (text) => {
    expect(parseTraceParent(text)).toBeUndefined();
  });

  it('of ours has version 00 and one flag', () => {
    const text = formatTraceParent({ traceId, spanId, isSampled: true });
    expect(text).toBe(`00-${traceId}-${spanId}-01`);
    expect(isSampled(text)).toBe(true);
  });
});
