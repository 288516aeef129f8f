import { Counter } from 'prom-client';
import { currentScope } from './request-scope.js';
import { formatTraceParent, isSampled, newSpanId, newTraceId, parseTraceParent } from './traceparent.js';
import type { Span, SpanAttributes, SpanKind, TraceSettings } from './span.js';
import type { TracingSdk } from './tracing-sdk.js';

const exported = new Counter({
  name: 'vaultsvc_trace_spans_total',
  help: 'Spans that were handed to the collector, by outcome: sent or failed.',
  labelNames: ['outcome'],
});

let sdk: TracingSdk | undefined;
let ratio = 0;
let users = 0;

/**
 * Traces requests from now on. The SDK is loaded here: a service without traces never loads it. Services of one process share it.
 * @returns sends what is left and ends tracing, within two seconds
 */
export async function startTracing(settings: TraceSettings): Promise<() => Promise<void>> {
  const { TracingSdk } = await import('./tracing-sdk.js');
  sdk ??= new TracingSdk(settings, exported);
  ratio = settings.ratio;
  users += 1;
  return async () => {
    users -= 1;
    if (users > 0) return;
    const ended = sdk;
    sdk = undefined;
    await ended?.shutDown();
  };
}

/** Whether requests are traced. */
export function isTracing(): boolean {
  return sdk !== undefined;
}

/** A request from outside. Its trace has an id even when it is not recorded: log lines name it. */
export interface RequestTrace {
  readonly trace: string;
  readonly span: Span | undefined;
}

/**
 * Begins the trace of a request from outside; undefined while traces are off. The caller's trace goes on, so that its own spans
 * and ours meet, but the share of recorded requests is ours: neither its flag nor the choice of its trace id changes the odds.
 * @param traceparent as the caller sent it
 */
export function traceRequest(traceparent: unknown): RequestTrace | undefined {
  if (!sdk) return undefined;
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : undefined;
  if (Math.random() < ratio) {
    const span = sdk.start('server', 'request', parent);
    return { trace: span.trace, span };
  }
  const traceId = parent?.traceId ?? newTraceId();
  return { trace: formatTraceParent({ traceId, spanId: newSpanId(), isSampled: false }), span: undefined };
}

/** Begins a span below the running one; undefined if that is not recorded, at no cost while traces are off. */
export function startSpan(kind: SpanKind, name: string, attributes?: SpanAttributes): Span | undefined {
  return sdk ? startSpanUnder(currentScope()?.trace, kind, name, attributes) : undefined;
}

/** Begins a span below one of another service, whose message is authenticated; undefined if that is not recorded. */
export function startSpanUnder(
  trace: string | undefined,
  kind: SpanKind,
  name: string,
  attributes?: SpanAttributes,
): Span | undefined {
  if (!sdk || trace === undefined || !isSampled(trace)) return undefined;
  const parent = parseTraceParent(trace);
  return parent && sdk.start(kind, name, parent, attributes);
}

/** The `traceparent` of the running span if it is recorded: what events that it causes continue. */
export function recordedTrace(): string | undefined {
  if (!sdk) return undefined;
  const trace = currentScope()?.trace;
  return trace !== undefined && isSampled(trace) ? trace : undefined;
}
