/**
 * A client that answers no ping for four to six seconds is dropped, and a queue group then sends it no more calls. With NATS' own
 * two minutes a frozen instance would take its share of the calls until then.
 */
export const natsPings = 'ping_interval: "2s"\nping_max: 2\n';

/** Servers of releases before 2.10 refuse the file with `sync_interval`, and lose what they acknowledged before a power failure. */
export type NatsRelease = '2.9' | '2.10';

interface NatsPlace {
  /** The addresses of the servers, as clients have them: `tls://nats-0.example.com:4222`. One of them: no cluster. */
  servers: readonly string[];
  release?: NatsRelease;
}

const CLUSTER_PORT = 6222;

/**
 * The configuration of each server, which takes its name from the environment variable NATS_SERVER_NAME, and its certificates from the
 * folder /etc/nats/tls, where certificate and key are mounted. `max_payload`: a valid reply with structured data exceeds the
 * default of 1 MiB.
 */
export function natsConfig({ servers, release = '2.10' }: NatsPlace): string {
  return `# Written by npm run provision, for NATS ${release}${release === '2.10' ? ' (2.10.23 or later)' : ''}. Check it with: nats-server -t -c nats.conf
server_name: $NATS_SERVER_NAME
listen: "0.0.0.0:4222"
http: "127.0.0.1:8222"
max_payload: 16MB
${natsPings}
tls {
  cert_file: "/etc/nats/tls/tls.crt"
  key_file: "/etc/nats/tls/tls.key"
}

jetstream {
  store_dir: "/data/jetstream"
${release === '2.10' ? '  sync_interval: always\n' : ''}}
${servers.length > 1 ? cluster(servers) : ''}
include "nats-users.conf"
`;
}

/** Servers authenticate each other by their certificates, which the authority in ca.crt has signed. */
function cluster(servers: readonly string[]) {
  const routes = servers.map((server) => `    "tls://${new URL(server).hostname}:${CLUSTER_PORT}"`);
  return `
cluster {
  name: vaultsvc
  listen: "0.0.0.0:${CLUSTER_PORT}"
  tls {
    cert_file: "/etc/nats/tls/tls.crt"
    key_file: "/etc/nats/tls/tls.key"
    ca_file: "/etc/nats/tls/ca.crt"
    verify: true
  }
  routes: [
${routes.join('\n')}
  ]
}
`;
}
