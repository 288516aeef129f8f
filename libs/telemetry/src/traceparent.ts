import { randomBytes } from 'node:crypto';

/** What a W3C `traceparent` says: `00-<trace id>-<span id>-<flags>`, in lower-case hexadecimal digits. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const VERSION = '00';
const SAMPLED = 1;
const FORBIDDEN_VERSION = 'ff';

/**
 * Reads a `traceparent` (W3C Trace Context, 3.2 and 4.3). Undefined for one that must be ignored: ill-formed, of version ff, with
 * zeros as an id, or of version 00 with more fields. Later versions are read as far as they are known.
 */
export function parseTraceParent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = FORM.exec(text ?? '') ?? [];
  if (version === undefined || version === FORBIDDEN_VERSION) return undefined;
  if (version === VERSION && more !== undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The `traceparent` of a span. */
export function formatTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `${VERSION}-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** Whether the span is recorded, by a `traceparent` of ours. */
export function isSampled(trace: string): boolean {
  return trace.endsWith('-01');
}

/** The trace id in a `traceparent`; undefined for a text that is none. */
export function traceIdOf(trace: string | undefined): string | undefined {
  return trace === undefined ? undefined : parseTraceParent(trace)?.traceId;
}

/** A random trace id. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** A random span id. */
export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}
