/** A panel: a title, a unit of Grafana, and queries with their legends. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly queries: readonly (readonly [expression: string, legend: string])[];
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const http = 'vaultsvc_http_request_duration_seconds';
const operation = 'vaultsvc_operation_duration_seconds';

function panel(title: string, unit: string, ...queries: Panel['queries'][number][]): Panel {
  return { title, unit, queries };
}

function quantile(share: number, histogram: string, by = ''): string {
  return `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) (rate(${histogram}_bucket[5m])))`;
}

const overview: Dashboard = {
  title: 'Vaultsvc: overview',
  panels: [
    panel('Requests by status', 'reqps', [`sum by (status) (rate(${http}_count[5m]))`, '{{status}}']),
    panel('Failed requests', 'percentunit', ['vaultsvc:http_errors:ratio_rate5m', '5xx']),
    panel(
      'Latency of requests',
      's',
      [quantile(0.5, http), 'p50'],
      [quantile(0.95, http), 'p95'],
      ['vaultsvc:http_request_duration_seconds:p99_5m', 'p99'],
    ),
    panel('Failed requests by operation', 'reqps', [
      `sum by (operation) (rate(${http}_count{status=~"5.."}[5m])) > 0`,
      '{{operation}}',
    ]),
    panel('Busiest operations', 'reqps', [
      `topk(10, sum by (operation) (rate(${operation}_count[5m])))`,
      '{{operation}}',
    ]),
    panel('Slowest operations (p99)', 's', [
      `topk(10, ${quantile(0.99, operation, 'operation')})`,
      '{{operation}}',
    ]),
    panel('Ready instances', 'none', ['sum by (service) (vaultsvc_ready)', '{{service}}']),
    panel('Builds', 'none', ['count by (service, version) (vaultsvc_build_info)', '{{service}} {{version}}']),
    panel('Event loop utilization', 'percentunit', ['vaultsvc_event_loop_utilization_ratio', '{{instance}}']),
    panel('Delay of the event loop at the scrape', 's', ['nodejs_eventloop_lag_seconds', '{{instance}}']),
    panel('Memory', 'bytes', ['process_resident_memory_bytes', '{{instance}}']),
    panel('Processor', 'none', ['rate(process_cpu_seconds_total[5m])', '{{instance}}']),
  ],
};

const servers: Dashboard = {
  title: 'Vaultsvc: servers',
  panels: [
    panel(
      'Connections to PostgreSQL',
      'none',
      ['sum by (pool, state) (vaultsvc_database_connections)', '{{pool}} {{state}}'],
      ['sum by (pool) (vaultsvc_database_connections_max)', '{{pool}} limit'],
    ),
    panel('Callers that wait for a connection', 'none', [
      'sum by (pool) (vaultsvc_database_waiting_callers)',
      '{{pool}}',
    ]),
    panel('Slowest statements (p99)', 's', [
      `topk(10, ${quantile(0.99, 'vaultsvc_statement_duration_seconds', 'statement')})`,
      '{{statement}}',
    ]),
    panel('Versions of the schemas', 'none', ['max by (pool) (vaultsvc_schema_version)', '{{pool}}']),
    panel(
      'Key management',
      'ops',
      ['sum by (outcome) (rate(vaultsvc_kms_attempts_total[5m]))', '{{outcome}}'],
      ['sum(rate(vaultsvc_kms_failed_calls_total[5m]))', 'failed calls'],
      ['sum(vaultsvc_kms_breaker_open)', 'open breakers'],
    ),
    panel(
      'Connections to NATS and Redis',
      'none',
      ['min by (service) (vaultsvc_nats_up)', 'NATS {{service}}'],
      ['min by (instance) (vaultsvc_redis_up)', 'Redis {{instance}}'],
    ),
    panel('Admission by Redis (p99)', 's', [quantile(0.99, 'vaultsvc_admission_duration_seconds'), 'p99']),
    panel('Calls that Redis did not answer', 'ops', [
      'sum(rate(vaultsvc_limiter_unavailable_total[5m]))',
      'calls',
    ]),
    panel('Failures of the object store', 'ops', [
      'sum by (operation) (rate(vaultsvc_objects_unavailable_total[5m]))',
      '{{operation}}',
    ]),
    panel('Bytes of transfers', 'Bps', [
      'sum by (direction) (rate(vaultsvc_transfer_bytes_total[5m]))',
      '{{direction}}',
    ]),
    panel('Checks of readiness that fail', 'none', [
      'sum by (service, check) (1 - vaultsvc_ready_check) > 0',
      '{{service}} {{check}}',
    ]),
    panel('Exported spans', 'ops', [
      'sum by (outcome) (rate(vaultsvc_trace_spans_total[5m]))',
      '{{outcome}}',
    ]),
  ],
};

const events: Dashboard = {
  title: 'Vaultsvc: events and jobs',
  panels: [
    panel('Events in the outbox', 'none', ['max by (service) (vaultsvc_outbox_events)', '{{service}}']),
    panel('Oldest event in the outbox', 's', [
      'max by (service) (vaultsvc_outbox_oldest_age_seconds)',
      '{{service}}',
    ]),
    panel('Batches that are not confirmed', 'none', [
      'max by (service) (vaultsvc_sent_batches)',
      '{{service}}',
    ]),
    panel('Oldest batch that is not confirmed', 's', [
      'max by (service) (vaultsvc_sent_batches_oldest_age_seconds)',
      '{{service}}',
    ]),
    panel('Messages before consumers', 'none', [
      'max by (consumer, state) (vaultsvc_event_consumer_messages)',
      '{{consumer}} {{state}}',
    ]),
    panel('Dead letters', 'none', ['max by (consumer) (vaultsvc_dead_letters)', '{{consumer}}']),
    panel('Time since the last success of a job', 's', [
      'time() - max by (job_name) (vaultsvc_job_last_success_timestamp_seconds > 0)',
      '{{job_name}}',
    ]),
    panel('Failures of jobs', 'ops', [
      'sum by (job_name) (rate(vaultsvc_job_failures_total[5m])) > 0',
      '{{job_name}}',
    ]),
    panel(
      'Refused messages and events',
      'ops',
      ['sum by (reason) (rate(vaultsvc_messages_refused_total[5m]))', 'messages: {{reason}}'],
      ['sum by (reason) (rate(vaultsvc_events_refused_total[5m]))', 'events: {{reason}}'],
    ),
    panel('Entries that sinks of the audit log lack', 's', [
      'max by (sink) (vaultsvc_audit_sink_oldest_unsent_seconds)',
      '{{sink}}',
    ]),
  ],
};

const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;

const all = { overview, servers, events };

/** A dashboard of Grafana, as it is imported. */
export function dashboard(name: keyof typeof all): string {
  return `${JSON.stringify(modelOf(name, all[name]), null, 2)}\n`;
}

/** Grafana's model of a dashboard; the data source is chosen when it is imported. */
function modelOf(name: string, { title, panels }: Dashboard) {
  return {
    uid: `vaultsvc-${name}`,
    title,
    tags: ['vaultsvc'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map(panelModel),
  };
}

const datasource = { type: 'prometheus', uid: '${datasource}' };

function panelModel({ title, unit, queries }: Panel, index: number) {
  const place = { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT };
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
    gridPos: { ...place, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(([expr, legendFormat], place) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + place),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
