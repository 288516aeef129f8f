import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Counter } from 'prom-client';
import { formatTraceParent, type TraceParent } from './traceparent.js';
import type { Span, SpanAttributes, SpanKind as Kind, TraceSettings } from './span.js';

/** Of one export with its retries; a later answer of the collector is of no use. */
const EXPORT_MS_MAX = 2_000;
const SHUTDOWN_MS_MAX = 2_000;
/** Spans that wait for their export; further ones are dropped. */
const QUEUE_MAX = 2_048;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/** OpenTelemetry's SDK, which this file alone imports: spans in batches to a collector, by OTLP over HTTP. */
export class TracingSdk {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  constructor({ service, version, endpoint, authorization }: TraceSettings, exported: Counter<'outcome'>) {
    const headers: Record<string, string> = authorization === '' ? {} : { Authorization: authorization };
    const exporter = new OTLPTraceExporter({ url: endpoint, headers, timeoutMillis: EXPORT_MS_MAX });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
      // `traceRequest` decides; what reaches the SDK is recorded.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [
        new BatchSpanProcessor({ exporter: counted(exporter, exported), maxQueueSize: QUEUE_MAX }),
      ],
    });
    this.#tracer = this.#provider.getTracer('vaultsvc', version);
  }

  start(kind: Kind, name: string, parent: TraceParent | undefined, attributes: SpanAttributes = {}): Span {
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
    const { traceId, spanId } = span.spanContext();
    return {
      trace: formatTraceParent({ traceId, spanId, isSampled: true }),
      name: (known, further) => void span.updateName(known).setAttributes(further),
      end: (error) => {
        if (error !== undefined) {
          span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }

  /** Sends what is left. Never rejects, and takes two seconds at most: a collector that is down delays no shutdown. */
  async shutDown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SHUTDOWN_MS_MAX)));
    const done = this.#provider.shutdown().catch(() => undefined); // counted as failed
    await Promise.race([done, late]);
    clearTimeout(timer);
  }
}

/** A remote parent goes on as recorded: whether it is has been decided before. */
function contextOf(parent: TraceParent | undefined): Context {
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

/** Counts the outcome of exports, which the SDK reports to nobody. */
function counted(exporter: SpanExporter, exported: Counter<'outcome'>): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        exported.inc({ outcome: result.error ? 'failed' : 'sent' }, spans.length);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
