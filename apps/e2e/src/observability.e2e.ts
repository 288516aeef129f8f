import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { ensureTools } from '../../../tools/stack/servers/install.ts';
import { workspace } from '../../../tools/stack/settings.ts';
import { startTemporaryStack, type TemporaryStack } from '../../../tools/stack/temporary-stack.ts';
import type { Stack } from './stack.js';

const TRACE_ID = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const PARENT_ID = 'c0ffee00c0ffee00';
const PAYLOAD = 'canary-of-a-payload-that-no-span-may-have';

interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

let collector: Server;
let exports = '';
const spans: Span[] = [];
let own: TemporaryStack;
const stack = () => own.descriptor() as Stack;

beforeAll(async () => {
  await ensureTools(['prometheus']);
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      exports += body;
      spans.push(...readSpans(body));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const settings = {
    TRACES_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    TRACES_RATIO: '1',
    LOG_LEVEL: 'info',
  };
  own = await startTemporaryStack({ settings });
}, 300_000);
afterAll(async () => {
  await own.stop();
  collector.close();
});

function readSpans(body: string): Span[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: {
      resource: { attributes: { key: string; value: { stringValue: string } }[] };
      scopeSpans: { spans: Omit<Span, 'service'>[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });
}

async function request(method: string, path: string, body?: object): Promise<Response> {
  const { api_url, account } = stack();
  return fetch(`${api_url}${path}`, {
    method,
    headers: {
      'x-api-key': account.api_key,
      'content-type': 'application/json',
      traceparent: `00-${TRACE_ID}-${PARENT_ID}-00`,
      baggage: 'secret=canary-of-baggage',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const linesOf = (service: string) =>
  readFileSync(join(dirname(own.descriptorPath), 'logs', `${service}.log`), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('A trace', () => {
  let spark: { spark_id: string };
  let response: Response;
  beforeAll(async () => {
    response = await request('POST', '/v1/sparks', {
      payload: PAYLOAD,
      content_type: 'text/plain',
      ttl_minutes: 5,
    });
    spark = ((await response.json()) as { data: { spark_id: string } }).data;
    await request('GET', `/v1/sparks/${spark.spark_id}`);
  });
  const find = (service: string, name: RegExp, of = spans) =>
    of.find((span) => span.service === service && name.test(span.name) && span.traceId === TRACE_ID);

  it('goes from the HTTP edge through NATS to SQL, below the span of the caller', async () => {
    await eventually(() => find('sparks', /^sparks\.create$/), Boolean, 30);
    await eventually(() => find('gateway', /^sparks\.create$/), Boolean, 30);
    const edge = spans.find(
      ({ service, parentSpanId }) => service === 'gateway' && parentSpanId === PARENT_ID,
    );
    const call = spans.find(
      ({ name, parentSpanId }) => name === 'sparks.create' && parentSpanId === edge?.spanId,
    );
    const handled = spans.find(
      ({ service, parentSpanId }) => service === 'sparks' && parentSpanId === call?.spanId,
    );
    const statement = spans.find(
      ({ service, parentSpanId }) => service === 'sparks' && parentSpanId === handled?.spanId,
    );
    expect([edge?.name, call?.name, handled?.name]).toEqual([
      'sparks.create',
      'sparks.create',
      'sparks.create',
    ]);
    expect(statement?.name).toBe('sparks.insert-batch');
    expect([edge, call, handled, statement].map((span) => span?.traceId)).toEqual(Array(4).fill(TRACE_ID));
    expect(response.headers.get('traceresponse')).toBe(`00-${TRACE_ID}-${edge?.spanId}-01`);
  });

  it('goes on to the events that follow, where they are applied', async () => {
    const applied = await eventually(() => find('reporting', /^sparks\./), Boolean, 30);
    expect(
      spans.some(({ service, spanId }) => service === 'sparks' && spanId === applied?.parentSpanId),
    ).toBe(true);
  });

  it('is named with the request in the lines of the gateway, and every line names the version', () => {
    const requestId = response.headers.get('x-request-id');
    expect(linesOf('gateway')).toContainEqual(
      expect.objectContaining({ requestId, traceId: TRACE_ID, status: 201 }),
    );
    const services = Object.keys(stack().services);
    const unversioned = services.flatMap(linesOf).filter(({ version }) => typeof version !== 'string');
    expect(unversioned).toEqual([]);
  });

  it('MISC-03: has no payload, key, id in a path or baggage', () => {
    const secrets = [PAYLOAD, stack().account.api_key, spark.spark_id, 'canary-of-baggage'];
    expect(secrets.every((secret) => secret.length > 10)).toBe(true);
    expect(secrets.filter((secret) => exports.includes(secret))).toEqual([]);
  });
});

describe('The metrics of the services', () => {
  const metricsOf = async (service: string) =>
    (await fetch(`${stack().services[service]?.private_url}/metrics`)).text();
  const declaredIn = (text: string) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];

  it.each(['gateway', 'auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'])(
    'of %s are clean by promtool, and show process, readiness, build and NATS',
    async (service) => {
      const text = await metricsOf(service);
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input: text,
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
      for (const series of [
        `vaultsvc_ready{service="${service}"} 1`,
        `vaultsvc_nats_up{service="${service}"} 1`,
        `vaultsvc_build_info{service="${service}",version=`,
        'process_resident_memory_bytes ',
      ])
        expect(text).toContain(series);
    },
  );

  it('show pools, schema, outbox, consumers, dead letters and jobs', async () => {
    const text = await metricsOf('sparks');
    expect(text).toMatch(/^vaultsvc_database_connections\{pool="[^"]+\.sparks",state="used"\} \d/m);
    expect(text).toMatch(/^vaultsvc_schema_version\{pool="[^"]+\.sparks"\} 17\d{11}$/m);
    expect(text).toMatch(/^vaultsvc_outbox_oldest_age_seconds\{service="sparks"\} \d/m);
    expect(text).toMatch(/^vaultsvc_dead_letters\{consumer="sparks-[a-z]+"\} 0$/m);
    expect(text).toMatch(/^vaultsvc_event_consumer_messages\{consumer="sparks-[a-z]+",state="pending"\} 0$/m);
    expect(text).toMatch(/^vaultsvc_job_last_success_timestamp_seconds\{job_name="ExpireSparks"\} 1\d{9}/m);
    expect(await metricsOf('gateway')).toMatch(/^vaultsvc_redis_up 1$/m);
  });

  it('have every name that rules and dashboards use', async () => {
    const texts = await Promise.all(Object.keys(stack().services).map(metricsOf));
    const names = new Set(
      texts
        .flatMap(declaredIn)
        .flatMap(([, name = '', type]) =>
          type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
        ),
    );
    const files = [
      'deploy/alerts/vaultsvc.rules.yaml',
      ...readdirSync(join(workspace, 'deploy/dashboards')).map((name) => `deploy/dashboards/${name}`),
    ];
    const used = files.flatMap((file) => [
      ...readFileSync(join(workspace, file), 'utf8').matchAll(/\b(?:vaultsvc|process|nodejs)_[a-z0-9_]+\b/g),
    ]);
    expect(used.length).toBeGreaterThan(50);
    expect([...new Set(used.map(([name]) => name))].filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('npm run support-bundle', () => {
  it('MISC-03: writes one archive of all services without a secret of the stack', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-bundle-'));
    try {
      const { VAULTSVC_DIR, VAULTSVC_PORT } = {
        VAULTSVC_DIR: dirname(own.descriptorPath),
        VAULTSVC_PORT: new URL(stack().api_url).port,
      };
      const env = { PATH: '/usr/bin:/bin', VAULTSVC_DIR, VAULTSVC_PORT };
      execFileSync(process.execPath, [join(workspace, 'tools/support/run.ts')], { cwd: folder, env });
      execFileSync('tar', ['-xzf', readdirSync(folder)[0] ?? ''], { cwd: folder });
      const files = Object.keys(stack().services).flatMap((service) =>
        readdirSync(join(folder, service)).map((name) => readFileSync(join(folder, service, name), 'utf8')),
      );
      expect(files).toHaveLength(8 * 5);
      const text = files.join('\n');
      expect(text).toContain('vaultsvc_schema_version');
      const secrets = textsIn(JSON.parse(readFileSync(join(VAULTSVC_DIR, 'secrets.json'), 'utf8')));
      expect(secrets.length).toBeGreaterThan(30);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      expect(text).not.toContain(stack().account.api_key);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** All secrets of a tree: texts of at least 16 characters. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < 16 ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
