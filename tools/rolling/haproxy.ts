import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeHttp } from '../stack/servers/probes.ts';
import type { ServerPlan } from '../stack/servers/server.ts';

/** One copy of a service with a public port. */
export interface Backend {
  readonly port: number;
  /** The port of /readyz. */
  readonly privatePort: number;
}

/**
 * HAProxy in front of the copies of the gateway, as a deployment has it: it asks each copy every half second whether it is ready, and
 * tries another one only if no connection came about, because a request may have spent a Spark.
 */
export function haproxyPlan({
  dir,
  port,
  backends,
  logPath,
  childrenDir,
}: {
  dir: string;
  port: number;
  backends: readonly Backend[];
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'haproxy.cfg');
  writeFileSync(path, configuration(port, backends));
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'haproxy',
    url,
    command: '/usr/sbin/haproxy',
    args: ['-f', path, '-db'],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/v1/health`),
    logPath,
    childrenDir,
  };
}

function configuration(port: number, backends: readonly Backend[]) {
  const servers = backends.map(
    (backend, i) =>
      `  server copy${i} 127.0.0.1:${backend.port} check port ${backend.privatePort} inter 500ms fall 1 rise 1`,
  );
  return `global
  maxconn 4000
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 15s
  timeout http-keep-alive 60s
frontend api
  bind 127.0.0.1:${port}
  default_backend gateway
backend gateway
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
  option redispatch 1
  retries 3
  retry-on conn-failure
${servers.join('\n')}
`;
}
