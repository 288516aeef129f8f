import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { services, statefulServices, workspace } from '../stack/settings.ts';
import { chartFolder, helm } from './helm.ts';
import { validate } from './kubernetes-models.ts';
import {
  podOf,
  readValues,
  render,
  valuesFileOf,
  valueSets,
  type KubernetesObject,
  type Values,
} from './rendered-chart.ts';
import { unknownMembers } from './unknown-members.ts';

const rendered = Object.fromEntries(
  await Promise.all(valueSets.map(async (set) => [set, await render(readValues(set))] as const)),
) as Record<(typeof valueSets)[number], KubernetesObject[]>;

const ofKind = (objects: readonly KubernetesObject[], kind: string) =>
  objects.filter((object) => object.kind === kind);
const named = (objects: readonly KubernetesObject[], kind: string, name: string) => {
  const found = ofKind(objects, kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const namesOf = (objects: readonly KubernetesObject[], kind: string) =>
  ofKind(objects, kind).map(({ metadata }) => metadata.name);

type Rule = { to?: { podSelector?: object }[]; ports: { port: number }[] };

describe.each(valueSets)('The chart with the %s values', (set) => {
  it('passes helm lint', async () => {
    expect(await helm(['lint', chartFolder, '--strict', '--values', valuesFileOf(set)])).toContain(
      '0 chart(s) failed',
    );
  });

  it('makes objects that their APIs accept, and no Secret', () => {
    for (const object of rendered[set]) expect(() => validate(object)).not.toThrow();
    expect(ofKind(rendered[set], 'Secret')).toEqual([]);
  });

  it('makes objects with members that their APIs know', async () => {
    expect(await unknownMembers(rendered[set])).toEqual([]);
  });

  it('makes names once, and no longer than a label', () => {
    const names = rendered[set].map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of rendered[set]) expect(metadata.name.length).toBeLessThanOrEqual(63);
  });

  it('makes pods that the restricted Pod Security Standard admits, on a read-only root', () => {
    const pods = rendered[set].map(podOf).filter(Boolean);
    expect(pods.length).toBeGreaterThan(8);
    for (const { securityContext, containers, initContainers = [], automountServiceAccountToken } of pods) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of [...containers, ...initContainers])
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('selects each pod by exactly one NetworkPolicy', () => {
    const policies = ofKind(rendered[set], 'NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels);
    const labels = rendered[set]
      .filter(podOf)
      .map(({ kind, metadata, spec }) => (kind === 'Pod' ? metadata.labels : spec.template.metadata.labels));
    for (const pod of labels) {
      const selecting = policies.filter((policy) =>
        Object.entries(policy).every(([label, value]) => pod[label] === value),
      );
      expect(selecting).toHaveLength(1);
    }
  });

  it('mounts what it names, and names the volumes that it mounts', () => {
    for (const pod of rendered[set].map(podOf).filter(Boolean)) {
      const volumes = (pod.volumes ?? []).map(({ name }: { name: string }) => name);
      const mounts = [...pod.containers, ...(pod.initContainers ?? [])].flatMap(({ volumeMounts = [] }) =>
        volumeMounts.map(({ name }: { name: string }) => name),
      );
      expect(new Set(mounts)).toEqual(new Set(volumes));
    }
  });
});

describe('The check of members', () => {
  it('finds a misspelt one, deep inside an object', async () => {
    const text = JSON.stringify(named(rendered.minimal, 'Deployment', 'example-vaultsvc-auth'));
    const misspelt = JSON.parse(text.replace('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"'));
    expect(await unknownMembers([misspelt])).toEqual([expect.stringContaining('readOnlyRootFileSystem')]);
  });
});

describe('The chart', () => {
  it('has the version of the release', () => {
    const { version } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
    const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'));
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });

  it.each(services)('runs %s by itself, scaled, guarded and watched', (service) => {
    const name = `example-vaultsvc-${service}`;
    for (const kind of [
      'Deployment',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'NetworkPolicy',
      'ServiceAccount',
      'ServiceMonitor',
    ])
      expect(namesOf(rendered.production, kind)).toContain(name);
    expect(named(rendered.production, 'HorizontalPodAutoscaler', name).spec.scaleTargetRef.name).toBe(name);
    expect(named(rendered.production, 'Deployment', name).spec).not.toHaveProperty('replicas');
  });

  it('MISC-01: runs each shard of sparks and reporting by itself, on the database of its own Secret, which is migrated before', () => {
    const secretsOf = (object: KubernetesObject): string[] =>
      podOf(object).volumes.flatMap(
        ({ projected }: { projected?: { sources: { secret: { name: string } }[] } }) =>
          (projected?.sources ?? []).map(({ secret }) => secret.name),
      );
    const shards = [
      ['sparks', '1', ['example-vaultsvc-sparks-1'], 'example-vaultsvc-sparks-1-owner'],
      ['sparks', '12', ['company-sparks-12'], 'company-sparks-12-owner'],
      ['reporting', '1', ['example-vaultsvc-reporting-1'], 'example-vaultsvc-reporting-1-owner'],
      ['reporting', '12', ['example-vaultsvc-reporting-12'], 'example-vaultsvc-reporting-12-owner'],
    ] as const;
    for (const [service, number, secrets, ownerSecret] of shards) {
      const name = `example-vaultsvc-${service}-${number}`;
      const deployment = named(rendered.production, 'Deployment', name);
      const [{ args, env }] = podOf(deployment).containers;
      expect(args).toEqual([service]);
      expect(env).toContainEqual({ name: 'SHARD', value: number });
      expect(env).toContainEqual({ name: 'SHARDS', value: '0,1,12' });
      expect(podOf(deployment).serviceAccountName).toBe(`example-vaultsvc-${service}`);
      expect(env).toContainEqual({ name: 'DATABASE_SCHEMA', value: service });
      expect(secretsOf(deployment)).toEqual(secrets);
      for (const kind of [
        'HorizontalPodAutoscaler',
        'PodDisruptionBudget',
        'NetworkPolicy',
        'ServiceMonitor',
      ])
        expect(namesOf(rendered.production, kind)).toContain(name);
      const migration = named(rendered.production, 'Job', `${name}-migrate`);
      expect(podOf(migration).containers[0].args).toEqual([service, 'migrate']);
      expect(secretsOf(migration)).toEqual([ownerSecret]);
    }
    const [first] = podOf(named(rendered.production, 'Deployment', 'example-vaultsvc-sparks')).containers;
    expect(first.env).toContainEqual({ name: 'SHARD', value: '0' });
    const names = podOf(named(rendered.minimal, 'Deployment', 'example-vaultsvc-sparks')).containers[0].env;
    expect(names.map(({ name }: { name: string }) => name)).not.toContain('SHARDS');
    const [auth] = podOf(named(rendered.production, 'Deployment', 'example-vaultsvc-auth')).containers;
    expect(auth.env).toContainEqual({ name: 'ACCOUNT_SHARDS', value: '0,1,12' });
  });

  it('MISC-01: names the shards to the job that makes the users of NATS', async () => {
    const values: Values = { ...readValues('one-process'), mode: 'services', shards: [{ number: 3 }] };
    values['settings'].OLDEST_RELEASE = '0.2';
    const [{ args }] = podOf(named(await render(values), 'Job', 'example-vaultsvc-provision')).containers;
    expect(args).toEqual(['provision', 'kubernetes', '--name', 'example-vaultsvc', '--shards', '0,3']);
  });

  it('allows one disruption at a time, or what a service says', () => {
    const budgetOf = (service: string) =>
      named(rendered.production, 'PodDisruptionBudget', `example-vaultsvc-${service}`).spec;
    expect(budgetOf('auth')).toMatchObject({ maxUnavailable: 1 });
    expect(budgetOf('gateway')).toMatchObject({ minAvailable: 2 });
    expect(budgetOf('gateway')).not.toHaveProperty('maxUnavailable');
  });

  it('runs all services in one process with mode: one', () => {
    expect(namesOf(rendered['one-process'], 'Deployment')).toEqual(['example-vaultsvc-all']);
    const [{ args, ports }] = podOf(
      named(rendered['one-process'], 'Deployment', 'example-vaultsvc-all'),
    ).containers;
    expect(args).toEqual(['all']);
    const numbers = ports.map(({ containerPort }: { containerPort: number }) => containerPort);
    expect(numbers.sort()).toEqual([8080, 8081, 8082, 8083, 9100]);
  });

  // SIGTERM, SHUTDOWN_DELAY_MS (5 s), at most SHUTDOWN_GRACE_MS (30 s, Forge 120 s), and a margin of 10 s.
  it.each([
    ['minimal', 'gateway', 45],
    ['minimal', 'forge', 135],
    ['production', 'forge', 195],
    ['one-process', 'all', 135],
  ] as const)(
    'with the %s values gives %s the time that its shutdown takes: %i s',
    (set, workload, seconds) => {
      const deployment = named(rendered[set], 'Deployment', `example-vaultsvc-${workload}`);
      expect(podOf(deployment).terminationGracePeriodSeconds).toBe(seconds);
    },
  );

  it('probes the private port, and exposes it by no public Service', () => {
    for (const deployment of ofKind(rendered.production, 'Deployment')) {
      const [container] = podOf(deployment).containers;
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'private' });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'private' });
      expect(container.ports).toContainEqual({ name: 'private', containerPort: 9100 });
    }
    const open = ofKind(rendered.production, 'Service').filter(({ spec }) => spec.clusterIP !== 'None');
    const ports = open.map(({ metadata, spec }) => [
      metadata.name,
      spec.ports.map(({ port }: { port: number }) => port).sort(),
    ]);
    expect(ports).toEqual([
      ['example-vaultsvc-forge', [8081]],
      ['example-vaultsvc-gateway', [8080, 8082, 8083]],
    ]);
  });

  it('replaces pods one by one, ready before another one ends, spread over zones and nodes', () => {
    for (const deployment of ofKind(rendered.minimal, 'Deployment')) {
      expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
      const keys = podOf(deployment).topologySpreadConstraints.map(
        ({ topologyKey }: { topologyKey: string }) => topologyKey,
      );
      expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    }
  });

  it('migrates each schema before the pods, with the secret of its owner alone', () => {
    const jobs = ofKind(rendered.minimal, 'Job');
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      statefulServices.map((service) => `example-vaultsvc-${service}-migrate`).sort(),
    );
    for (const job of jobs) {
      const service = job.metadata.name.split('-')[2] ?? '';
      expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      const [{ args, env }] = podOf(job).containers;
      expect(args).toEqual([service, 'migrate']);
      expect(env).toEqual([
        { name: 'DATABASE_SCHEMA', value: service },
        { name: 'DATABASE_URL_FILE', value: '/etc/vaultsvc/secrets/owner/DATABASE_URL' },
      ]);
      expect(podOf(job).volumes[0].projected.sources).toEqual([
        {
          secret: {
            name: `example-vaultsvc-${service}-owner`,
            items: [{ key: 'DATABASE_URL', path: 'DATABASE_URL' }],
          },
        },
      ]);
    }
  });

  it('lets no pod but those of migrations read the secret of an owner', () => {
    const readers = Object.values(rendered)
      .flat()
      .filter((object) => podOf(object) && JSON.stringify(podOf(object)).includes('-owner'));
    const shards = valueSets.flatMap((set) => readValues(set)['shards'] ?? []);
    expect(shards).toHaveLength(3);
    expect(readers.length).toBe(7 * valueSets.length + 2 * shards.length);
    for (const { metadata } of readers) expect(metadata.name).toMatch(/-migrate$/);
  });

  // DNS, and the servers of the service. The API of the cluster and other services are not among them.
  it.each([
    ['gateway', [53, 4222, 6379, 26379]],
    ['auth', [53, 443, 4222, 5432, 6379, 26379]],
    ['sparks', [53, 443, 4222, 5432]],
    ['vaults', [53, 443, 4222, 5432]],
    ['forge', [53, 443, 4222, 5432, 6379, 26379]],
    ['notify', [53, 443, 465, 587, 4222, 5432]],
    ['integrations', [53, 443, 4222, 5432, 6379, 26379]],
    ['reporting', [53, 443, 4222, 5432, 6379, 26379]],
  ])('lets %s reach its servers by the ports %j, and no other service', (service, ports) => {
    const { egress } = named(rendered.minimal, 'NetworkPolicy', `example-vaultsvc-${service}`).spec;
    const numbers = egress.flatMap((rule: Rule) => rule.ports.map(({ port }) => port));
    expect([...new Set<number>(numbers)].sort((a, b) => a - b)).toEqual(ports);
    const peers = egress.flatMap(({ to = [] }: Rule) => to);
    expect(peers.filter(({ podSelector }: { podSelector?: object }) => podSelector)).toEqual([]);
  });

  it('opens public ports of the gateway and Forge alone, and the private one to Prometheus', () => {
    const monitoring = [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ];
    const metrics = { from: monitoring, ports: [{ protocol: 'TCP', port: 9100 }] };
    for (const service of services) {
      const { ingress } = named(rendered.minimal, 'NetworkPolicy', `example-vaultsvc-${service}`).spec;
      const open = ingress.slice(1).flatMap((rule: Rule) => rule.ports.map(({ port }) => port));
      expect(ingress[0]).toEqual(metrics);
      expect(open.sort()).toEqual({ gateway: [8080, 8082, 8083], forge: [8081] }[service] ?? []);
    }
    const jobs = ofKind(rendered['one-process'], 'NetworkPolicy').filter(
      ({ metadata }) => !metadata.name.endsWith('-all'),
    );
    expect(jobs.map(({ metadata, spec }) => [metadata.name, spec.ingress ?? []]).sort()).toEqual([
      ['example-vaultsvc-bootstrap', []],
      ['example-vaultsvc-check', []],
      ['example-vaultsvc-migrate', []],
      ['example-vaultsvc-provision', []],
    ]);
  });

  it('lets the jobs that write Secrets read and change these by their names', () => {
    const rules = named(rendered['one-process'], 'Role', 'example-vaultsvc-provision') as unknown as {
      rules: { verbs: string[]; resources: string[]; resourceNames?: string[] }[];
    };
    const [create, others] = rules.rules;
    expect(create).toEqual({ apiGroups: [''], resources: ['secrets'], verbs: ['create'] });
    expect(others?.verbs).toEqual(['get', 'patch']);
    expect(others?.resourceNames).toHaveLength(2 + services.length);
    for (const object of rendered['one-process'].filter(podOf)) {
      const volumes = podOf(object).volumes ?? [];
      const hasToken = volumes.some(({ name }: { name: string }) => name === 'token');
      expect(hasToken).toBe(/-(provision|bootstrap)$/.test(object.metadata.name));
    }
  });

  it('routes the four public hosts to their ports', () => {
    const routes = ofKind(rendered.production, 'HTTPRoute').map(({ spec }) => [
      spec.hostnames[0],
      spec.rules[0].backendRefs[0].name,
      spec.rules[0].backendRefs[0].port,
    ]);
    expect(routes).toEqual([
      ['api.example.com', 'example-vaultsvc-gateway', 8080],
      ['links.example.com', 'example-vaultsvc-gateway', 8082],
      ['files.example.com', 'example-vaultsvc-gateway', 8083],
      ['forge.example.com', 'example-vaultsvc-forge', 8081],
    ]);
    const rules = ofKind(rendered['existing-secrets'], 'Ingress').flatMap(({ spec }) => spec.rules);
    const hosts = rules.map(({ host, http }) => [
      host,
      http.paths[0].backend.service.name,
      http.paths[0].backend.service.port.name,
    ]);
    expect(hosts).toEqual([
      ['api.example.com', 'example-vaultsvc-gateway', 'http'],
      ['links.example.com', 'example-vaultsvc-gateway', 'links'],
      ['files.example.com', 'example-vaultsvc-gateway', 'files'],
      ['forge.example.com', 'example-vaultsvc-forge', 'http'],
    ]);
  });
});
