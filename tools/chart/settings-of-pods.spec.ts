import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@vaultsvc/config';
import { AuthConfig } from '../../apps/auth/src/config.js';
import { ForgeConfig } from '../../apps/forge/src/config.js';
import { GatewayConfig } from '../../apps/gateway/src/config.js';
import { IntegrationsConfig } from '../../apps/integrations/src/config.js';
import { NotifyConfig } from '../../apps/notify/src/config.js';
import { ReportingConfig } from '../../apps/reporting/src/config.js';
import { SparksConfig } from '../../apps/sparks/src/config.js';
import { VaultsConfig } from '../../apps/vaults/src/config.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeKeys, keySettings, newKey } from '../provision/keys.ts';
import { readTopology } from '../provision/topology.ts';
import { services } from '../stack/settings.ts';
import { chartFolder } from './helm.ts';
import { podOf, readValues, render, valueSets, type KubernetesObject } from './rendered-chart.ts';
import type { ServiceFacts } from './service-facts.ts';
import { ownedByChart } from './setting-kinds.ts';

const configs: Readonly<Record<string, new () => object>> = {
  gateway: GatewayConfig,
  auth: AuthConfig,
  sparks: SparksConfig,
  vaults: VaultsConfig,
  forge: ForgeConfig,
  notify: NotifyConfig,
  integrations: IntegrationsConfig,
  reporting: ReportingConfig,
};

/** Generated, and compared with the classes by `npm run docs -- --check`. */
const facts: Record<string, ServiceFacts> = JSON.parse(
  readFileSync(join(chartFolder, 'files/services.json'), 'utf8'),
).services;

const secretsOf = ({ keys: made, secrets, optionalSecrets }: ServiceFacts) => [
  ...made,
  ...secrets,
  ...optionalSecrets,
];

const topology = readTopology();
const keys = completeKeys(topology);

/** What an operator or provision puts into the Secret of a service. */
const contentOf = (service: string): Record<string, string> => ({
  ...keySettings(topology, keys, service),
  DATABASE_URL: `postgres://${service}:x@postgres/vaultsvc?sslmode=verify-full`,
  KEYS_DATABASE_URL: `postgres://${service}:x@keys/vaultsvc_keys?sslmode=verify-full`,
  REDIS_URL: `rediss://${service}:x@redis:6379`,
  CURSOR_KEY: newKey(),
  CREDENTIAL_RECORD_KEY: newKey(),
  POOL_SNAPSHOT_KEY: newKey(),
  S3_SECRET_ACCESS_KEY: 'x',
  OIDC_CLIENT_SECRET: 'x',
  SMTP_URL: 'smtps://user:x@mail.example.com:465',
  AUDIT_SINKS: '[]',
});

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };
type Item = { key: string; path: string };
type Pod = { volumes?: { name: string; projected?: { sources: { secret?: { items: Item[] } }[] } }[] };
type Container = { env?: Variable[]; volumeMounts?: { name: string; mountPath: string }[] };

const deployments = (objects: readonly KubernetesObject[]) =>
  objects.filter(({ kind }) => kind === 'Deployment');

/** The files that a container finds, from its projected Secrets. */
function filesOf({ volumes = [] }: Pod, { volumeMounts = [] }: Container): Map<string, string> {
  const found = volumeMounts.flatMap(({ name, mountPath }) => {
    const volume = volumes.find((candidate) => candidate.name === name);
    const items = volume?.projected?.sources.flatMap(({ secret }) => secret?.items ?? []) ?? [];
    return items.map(({ key, path }) => [`${mountPath}/${path}`, key] as const);
  });
  return new Map(found);
}

/** The environment as a service reads it: without the prefix of one process, and with the content of Secrets. */
function environmentOf(service: string, pod: Pod, container: Container) {
  const files = filesOf(pod, container);
  const content = contentOf(service);
  const prefix = `${service.toUpperCase()}_`;
  const known = new Set([...ownedByChart, ...(facts[service]?.settings ?? [])]);
  const variables = (container.env ?? []).flatMap(({ name: given, value, valueFrom }) => {
    const name = given.startsWith(prefix) ? given.slice(prefix.length) : given;
    const key = valueFrom?.secretKeyRef.key ?? files.get(value ?? '');
    if (key !== undefined) return [[key, content[key] ?? `no content for ${key}`]];
    return known.has(name) ? [[name, value ?? '']] : [];
  });
  return Object.fromEntries(variables) as Record<string, string>;
}

function environmentOfPod(service: string, deployment: KubernetesObject | undefined) {
  const pod = podOf(deployment as KubernetesObject);
  return environmentOf(service, pod, pod.containers[0]);
}

/** The problems that stop a service in production. */
function problemsOf(service: string, environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(configs[service] as new () => object, { ...environment, PROFILE: 'production' });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

describe.each(valueSets)('With the %s values', (set) => {
  it.each(services)('%s has every setting with which it starts in production', async (service) => {
    const found = deployments(await rendered[set]).find(({ metadata }) =>
      [`example-vaultsvc-${service}`, 'example-vaultsvc-all'].includes(metadata.name),
    );
    const environment = environmentOfPod(service, found);
    expect(problemsOf(service, environment)).toEqual([]);
    for (const name of facts[service]?.required ?? []) expect(environment).toHaveProperty(name);
  });

  it('has secrets only where a Secret is referred to', async () => {
    const secrets = new Set(Object.values(facts).flatMap(secretsOf));
    const prefix = new RegExp(`^(${services.map((service) => service.toUpperCase()).join('|')})_`);
    let references = 0;
    for (const pod of (await rendered[set]).map(podOf).filter(Boolean))
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])] as Container[]) {
        const files = filesOf(pod, container);
        for (const { name, value, valueFrom } of container.env ?? []) {
          const plain = secrets.has(name) ? name : name.replace(prefix, '');
          const [, ofFile = ''] = /^(.*)_FILE$/.exec(plain) ?? [];
          if (secrets.has(plain))
            expect([name, value, valueFrom?.secretKeyRef.key]).toEqual([name, undefined, plain]);
          else if (secrets.has(ofFile)) expect([name, files.get(value ?? '')]).toEqual([name, ofFile]);
          else continue;
          references += 1;
        }
      }
    expect(references).toBeGreaterThan(40);
  });
});

const rendered = Object.fromEntries(valueSets.map((set) => [set, render(readValues(set))])) as Record<
  (typeof valueSets)[number],
  Promise<KubernetesObject[]>
>;

describe('The pods of one service', () => {
  it('read the Secrets of that service alone', async () => {
    for (const deployment of deployments(await rendered['existing-secrets'])) {
      const service = deployment.metadata.name.replace('example-vaultsvc-', '');
      const variables: Variable[] = podOf(deployment).containers[0].env;
      const names = variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []);
      expect(new Set(names)).toEqual(new Set([`company-${service}`]));
    }
  });

  it('find every secret that External Secrets makes, and no other', async () => {
    const objects = await rendered['external-secrets'];
    const made = new Map(
      objects
        .filter(({ kind }) => kind === 'ExternalSecret')
        .map(({ spec }) => [
          spec.target.name,
          spec.data.map(({ secretKey }: { secretKey: string }) => secretKey),
        ]),
    );
    for (const pod of objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(podOf))
      for (const { secret } of pod.volumes[0].projected.sources)
        expect(made.get(secret.name)).toEqual(secret.items.map(({ key }: { key: string }) => key));
    expect(made.size).toBe(19);
  });

  it.each(['sparks', 'reporting'])(
    'MISC-01: of a further shard have every setting with which %s starts, and the number',
    async (service) => {
      const named = (name: string) => (object: KubernetesObject) => object.metadata.name === name;
      for (const number of ['1', '12']) {
        const name = `example-vaultsvc-${service}-${number}`;
        const environment = environmentOfPod(
          service,
          deployments(await rendered.production).find(named(name)),
        );
        expect(problemsOf(service, environment)).toEqual([]);
        expect(environment['SHARD']).toBe(number);
      }
    },
  );

  it('have lists with commas, and large integers in digits', async () => {
    const gateway = deployments(await rendered.production).find(({ metadata }) =>
      metadata.name.endsWith('gateway'),
    );
    const variables: Variable[] = podOf(gateway as KubernetesObject).containers[0].env;
    const valueOf = (name: string) => variables.find((variable) => variable.name === name)?.value;
    expect(valueOf('TRUSTED_PROXIES')).toBe('10.0.0.0/8,2001:db8::/32');
    expect(valueOf('BODY_BYTES_IN_FLIGHT_MAX')).toBe('268435456');
  });
});
