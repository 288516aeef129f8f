import { Counter, Gauge } from 'prom-client';

export const sinksConfigured = new Gauge({
  name: 'vaultsvc_audit_sinks',
  help: 'Sinks of the audit log, of all instances. Fewer than before: somebody has turned one off.',
});

export const entriesBehind = new Gauge({
  name: 'vaultsvc_audit_sink_entries_behind',
  help: 'Audit entries that the sink has not received, by sink; older entries that a new sink asked for are not counted.',
  labelNames: ['sink'],
});

export const oldestUnsent = new Gauge({
  name: 'vaultsvc_audit_sink_oldest_unsent_seconds',
  help: 'Age of the oldest audit entry that the sink has not received, by sink; 0 without any.',
  labelNames: ['sink'],
});

export const sinkFailures = new Counter({
  name: 'vaultsvc_audit_sink_failures_total',
  help: 'Attempts of this instance to send a batch that the sink did not confirm, by sink.',
  labelNames: ['sink'],
});
