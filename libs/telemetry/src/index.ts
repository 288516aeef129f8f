export { addMetricSource, metricsText, type MetricSource } from './metric-sources.js';
export { measureProcess, showBuild } from './process-metrics.js';
export { currentScope, runInScope, runOutOfScope, type RequestScope } from './request-scope.js';
export { currentService, runAsService } from './service-scope.js';
export { traceIdOf } from './traceparent.js';
export {
  isTracing,
  recordedTrace,
  startSpan,
  startSpanUnder,
  startTracing,
  traceRequest,
  type RequestTrace,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type TraceSettings,
} from './tracing.js';
