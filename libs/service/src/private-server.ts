import { createServer, type Server, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { isLoopback } from '@vaultsvc/config';
import { metricsText } from '@vaultsvc/telemetry';
import { Gauge, register } from 'prom-client';

/** One thing that must work for this service to take traffic. Resolves, or throws what is wrong. */
export interface ReadinessCheck {
  readonly name: string;
  readonly check: () => Promise<void>;
}

/**
 * `dependencies`: not ready while one of its checks fails. `serving`: ready from its start until it is told to stop; the
 * checks are shown and decide nothing, for a service whose own refusals are better than a balancer's (ADR 11).
 */
export type ReadinessRule = 'dependencies' | 'serving';

const CHECK_TIMEOUT_MS = 1_000;

const readyGauge = new Gauge({
  name: 'vaultsvc_ready',
  help: 'Whether the service would answer 200 to /readyz now, by service.',
  labelNames: ['service'],
});
const checkGauge = new Gauge({
  name: 'vaultsvc_ready_check',
  help: 'Whether a check of /readyz passes now, by service and check.',
  labelNames: ['service', 'check'],
});

/** What decides whether a service of the process is ready. */
export interface ServiceReadiness {
  readonly service: string;
  readonly checks: readonly ReadinessCheck[];
  /** Default: `dependencies`. */
  readonly rule?: ReadinessRule | undefined;
  /** What is left before the service accepts calls; it is not ready before. */
  readonly waitingFor?: () => readonly string[];
}

/**
 * The port that is never public (OPEN-56): `/healthz` (the process lives), `/readyz` (it may be sent traffic,
 * and which of database, NATS and what else it uses answer), `/metrics` (Prometheus text). A process of several services is
 * ready while all of them are, and names each check by its service: `sparks.postgres`.
 */
export class PrivateServer {
  readonly #server: Server;
  #isLocal = false;
  #shuttingDown = false;

  constructor(private readonly services: readonly ServiceReadiness[]) {
    this.#server = createServer((request, response) => {
      if (this.#isLocal && !isLoopbackHost(request.headers.host))
        return send(response, 421, 'text/plain', 'use the host name localhost\n');
      this.#answer(request.url ?? '', response).catch(() => response.destroy()); // metrics that cannot be written
    });
  }

  listen(port: number, host: string): Promise<void> {
    this.#isLocal = isLoopback(host);
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
  }

  /** Makes `/readyz` answer 503, so that load balancers stop sending while requests in flight finish. */
  leave(): void {
    this.#shuttingDown = true;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    if (url === '/healthz') return send(response, 200, 'application/json', JSON.stringify({ status: 'ok' }));
    if (url === '/readyz') return this.#ready(response);
    if (url === '/metrics') return this.#metrics(response);
    send(response, 404, 'text/plain', 'not found\n');
  }

  async #ready(response: ServerResponse): Promise<void> {
    const { isReady, body } = await this.#readiness();
    const answer = { status: isReady ? 'ready' : 'not ready', ...body };
    send(response, isReady ? 200 : 503, 'application/json', JSON.stringify(answer));
  }

  async #metrics(response: ServerResponse): Promise<void> {
    await this.#readiness();
    send(response, 200, register.contentType, await metricsText());
  }

  async #readiness(): Promise<Readiness> {
    const found = await Promise.all(this.services.map((of) => readinessOf(of, this.#shuttingDown)));
    const isAlone = found.length === 1;
    const named = (service: string, name: string) => (isAlone ? name : `${service}.${name}`);
    const checks = found.flatMap(({ service, results }) =>
      results.map(({ name, ok }) => [named(service, name), ok] as const),
    );
    const waiting_for = found.flatMap(({ service, waitingFor }) =>
      waitingFor.map((name) => named(service, name)),
    );
    return {
      isReady: found.every(({ isReady }) => isReady),
      body: { checks: Object.fromEntries(checks), ...(waiting_for.length > 0 && { waiting_for }) },
    };
  }
}

/** Runs the checks of a service, and shows the results as metrics. */
async function readinessOf(
  { service, checks, rule, waitingFor: left = () => [] }: ServiceReadiness,
  isShuttingDown: boolean,
) {
  const results = await Promise.all(checks.map(run));
  const waitingFor = left();
  const works = rule === 'serving' || results.every(({ ok }) => ok);
  const isReady = works && waitingFor.length === 0 && !isShuttingDown;
  readyGauge.set({ service }, isReady ? 1 : 0);
  for (const { name, ok } of results) checkGauge.set({ service, check: name }, ok ? 1 : 0);
  return { service, results, waitingFor, isReady };
}

interface Readiness {
  readonly isReady: boolean;
  readonly body: {
    readonly checks: Readonly<Record<string, boolean>>;
    readonly waiting_for?: readonly string[];
  };
}

/**
 * On a loopback address only requests of this machine arrive, among them those of a web page whose name resolves to it (DNS
 * rebinding), which have that name in Host.
 */
function isLoopbackHost(host = ''): boolean {
  return isLoopback(host.replace(/:\d*$/, ''));
}

async function run({ name, check }: ReadinessCheck): Promise<{ name: string; ok: boolean }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
    return { name, ok: true };
  } catch {
    return { name, ok: false }; // the answer itself is the report; the body names the check
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

/** Registry of the checks that `/readyz` runs beside those of the database and NATS. */
@Injectable()
export class ReadinessChecks {
  readonly checks: ReadinessCheck[] = [];

  add(name: string, check: () => Promise<void>): void {
    this.checks.push({ name, check });
  }
}
