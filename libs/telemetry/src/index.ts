export { addMetricSource, metricsText, type MetricSource } from './metric-sources.js';
export { measureProcess, showBuild } from './process-metrics.js';
export { currentScope, runInScope, runOutOfScope, type RequestScope } from './request-scope.js';
