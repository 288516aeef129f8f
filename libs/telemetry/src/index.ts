export { addMetricSource, metricsText, type MetricSource } from './metric-sources.js';
export { measureProcess, showBuild } from './process-metrics.js';
export { currentScope, runInScope, runOutOfScope, type RequestScope } from './request-scope.js';
export { currentService, runAsService } from './service-scope.js';
export type { Span, SpanAttributes, SpanKind, TraceSettings } from './span.js';
export { traceIdOf } from './traceparent.js';
export {
  isTracing,
  recordedTrace,
  startSpan,
  startSpanUnder,
  startTracing,
  traceRequest,
  type RequestTrace,
} from './tracing.js';
