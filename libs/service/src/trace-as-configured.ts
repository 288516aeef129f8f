import { buildInfo, type ServiceConfig } from '@vaultsvc/config';
import { startTracing } from '@vaultsvc/telemetry';

/** Returns what ends tracing; nothing is loaded without an endpoint. */
export async function traceAsConfigured(
  service: string,
  config: ServiceConfig,
): Promise<() => Promise<void>> {
  const { TRACES_ENDPOINT: endpoint, TRACES_RATIO: ratio, TRACES_AUTHORIZATION: authorization } = config;
  if (endpoint === '') return () => Promise.resolve();
  const { version } = buildInfo();
  return startTracing({ service, version, endpoint, ratio, authorization: authorization.reveal() });
}
